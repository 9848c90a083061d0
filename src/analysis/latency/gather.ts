// Gathers how long a run's answers took, and which took longest, in the pass that feeds the other reports.
import type { LatencyBin, LatencyHistogram, SlowTurn } from '../../domain/latency-histogram.ts'
import type { TurnRecord } from '../../domain/turn.ts'

const MOST_SLOW = 20

export interface LatencyGatherer {
  /** Turns in any order; those without an answer count nothing. */
  add(turn: TurnRecord): void
  finish(): {
    readonly latency: LatencyHistogram
    /** Longest first; of a question asked several times the longest. */
    readonly slowest: readonly SlowTurn[]
  }
}

export function createLatencyGatherer(): LatencyGatherer {
  const samples: number[] = []
  let slowest: SlowTurn[] = []
  return {
    add: ({ outcome, serviceMs, question: { id, message } }) => {
      if (outcome !== 'answered' || serviceMs === undefined) return
      samples.push(serviceMs)
      const shortest = slowest.length < MOST_SLOW ? Number.NEGATIVE_INFINITY : slowest.at(-1)?.latencyMs
      if (serviceMs <= (shortest ?? 0)) return
      const known = slowest.find((one) => one.id === id)
      if (known !== undefined && known.latencyMs >= serviceMs) return
      slowest = [...slowest.filter((one) => one !== known), { id, message, latencyMs: serviceMs }]
        .sort((some, other) => other.latencyMs - some.latencyMs)
        .slice(0, MOST_SLOW)
    },
    finish: () => ({ latency: latencyHistogram(samples), slowest }),
  }
}

/** A sixth of a decade each, to a sign or two. */
const STEPS = [1, 1.5, 2, 3, 5, 7] as const
/** Below this quotient of longest and shortest, even steps show more. */
const WIDE = 8
const EVEN_BINS = 12
/** Milliseconds; shorter is as good as nothing: 0 has no logarithm. */
const SHORTEST = 0.1

/** `samples`: milliseconds, in any order. What is shorter than the first edge counts in the first bin. */
export function latencyHistogram(samples: readonly number[]): LatencyHistogram {
  if (samples.length === 0) return []
  const low = samples.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY)
  const high = samples.reduce((most, one) => Math.max(most, one), SHORTEST)
  const edges = high <= WIDE * low ? evenEdges(low, high) : decadeEdges(Math.max(low, SHORTEST), high)
  const bins = edges.slice(1).map((to, place) => ({ from: edges[place] ?? 0, to, count: 0 }))
  for (const sample of samples) {
    const bin =
      bins[
        Math.max(
          0,
          bins.findLastIndex(({ from }) => from <= Math.max(sample, SHORTEST)),
        )
      ]
    if (bin !== undefined) bin.count += 1
  }
  const isFilled = ({ count }: LatencyBin): boolean => count > 0
  return bins.slice(bins.findIndex(isFilled), bins.findLastIndex(isFilled) + 1)
}

/** Round edges with room on either side: a quotient, or a logarithm, may round to the wrong side of a whole number. */
function evenEdges(low: number, high: number): number[] {
  const rough = Math.max((high - low) / EVEN_BINS, low / 100)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5].find((one) => one * power >= rough) ?? 10)
  const first = Math.max(0, Math.floor(low / step) - 1)
  const count = Math.floor(high / step) + 3 - first
  return Array.from({ length: count }, (_, place) => tidy((first + place) * step))
}

function decadeEdges(low: number, high: number): number[] {
  const [from, to] = [Math.floor(Math.log10(low)) - 1, Math.floor(Math.log10(high)) + 2]
  const decades = Array.from({ length: to - from }, (_, place) => 10 ** (from + place))
  return decades.flatMap((decade) => STEPS.map((step) => tidy(step * decade)))
}

/** Powers of ten below 1 are not exact. */
const tidy = (edge: number): number => Number(edge.toPrecision(12))
