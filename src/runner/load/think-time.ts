// How long a person thinks between an answer and the next question.
import type { ThinkTime } from '../../domain/load/load-options.ts'

/** The standard normal quantile of 0.95: what ties a lognormal's 95th percentile to its spread. */
const Z95 = 1.6448536269514722

/** Milliseconds. `random`: uniform in [0, 1); two draws at most. */
export function drawThinkTime(thinkTime: ThinkTime, random: () => number): number {
  switch (thinkTime.kind) {
    case 'constant':
      return thinkTime.ms
    case 'uniform':
      return thinkTime.fromMs + (thinkTime.toMs - thinkTime.fromMs) * random()
    case 'lognormal': {
      const { medianMs, p95Ms } = thinkTime
      return medianMs * Math.exp((Math.log(p95Ms / medianMs) / Z95) * drawNormal(random))
    }
  }
}

/** Standard normal deviate, by Box and Muller (1958). */
function drawNormal(random: () => number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()))
  return radius * Math.cos(2 * Math.PI * random())
}

/** How long the thread of an arrival thinks next; each draws from a stream of its own, so that no answer changes another's. */
export function createThinking(
  thinkTime: ThinkTime,
  streamOf: (arrival: number) => () => number,
): (thread: object, arrival: number) => number {
  const streams = new WeakMap<object, () => number>()
  return (thread, arrival) => {
    if (thinkTime.kind === 'constant') return thinkTime.ms
    const random = streams.get(thread) ?? streamOf(arrival)
    streams.set(thread, random)
    return drawThinkTime(thinkTime, random)
  }
}
