// The calls of a run over time, for a chart: how many ended in each bin, by kind of result.
import { isRateLimited } from '../../domain/attempt.ts'
import type { JournalEvent } from '../../domain/journal.ts'
import type { Summary } from '../../domain/summary.ts'

const MAX_BINS = 120
const FIRST_BIN_MS = 250

/** Widens the bins as the run gets longer, so that it takes the same memory for any run. */
export function createCallsOverTime() {
  const [answered, refused, failed]: [number[], number[], number[]] = [[], [], []]
  const all = [answered, refused, failed]
  let binMs = FIRST_BIN_MS
  let from: number | undefined

  const widenFor = (lengthMs: number): void => {
    for (; lengthMs >= MAX_BINS * binMs; binMs *= 2)
      for (const counts of all) {
        for (const [index, count] of counts.entries())
          if (index % 2 === 0) counts[index / 2] = count + (counts[index + 1] ?? 0)
        counts.length = Math.ceil(counts.length / 2)
      }
  }
  return {
    add: (event: JournalEvent): void => {
      if (event.kind !== 'result') return
      const { at, result } = event
      from ??= Math.floor(at / FIRST_BIN_MS) * FIRST_BIN_MS
      widenFor(at - from)
      // If the clock was set back, the call still counts.
      const bin = Math.max(0, Math.floor((at - from) / binMs))
      while (answered.length <= bin) for (const counts of all) counts.push(0)
      const counts = result.kind === 'reply' ? answered : isRateLimited(result) ? refused : failed
      counts[bin] = (counts[bin] ?? 0) + 1
    },
    finish: (): Summary['pacing']['calls'] =>
      from === undefined ? null : { from: new Date(from).toISOString(), binMs, answered, refused, failed },
  }
}
