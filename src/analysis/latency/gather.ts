// Gathers how long a run's answers took, and which took longest, in the pass that feeds the other reports.
import type { LatencyHistogram, SlowTurn } from '../../domain/latency-histogram.ts'
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
/** Shorter is as good as nothing: 0 has no logarithm. Milliseconds. */
const SHORTEST = 0.1

type Samples = readonly number[]

/** `samples`: milliseconds, in any order. */
export function latencyHistogram(samples: Samples): LatencyHistogram {
  if (samples.length === 0) return []
  const [low, high] = bounds(samples)
  const edges = high <= WIDE * low ? evenEdges(low, high) : logarithmicEdges(low, high)
  return count(samples, edges)
}

function bounds(samples: Samples): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, SHORTEST]
  for (const sample of samples) {
    low = Math.min(low, sample)
    high = Math.max(high, sample)
  }
  return [Math.max(low, SHORTEST), high]
}

function evenEdges(low: number, high: number): number[] {
  const rough = Math.max((high - low) / EVEN_BINS, low / 100)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5].find((one) => one * power >= rough) ?? 10)
  const edge = (place: number): number => tidy(place * step)
  // A quotient may round to the wrong side of a whole number.
  const first = Math.floor(low / step) - (edge(Math.floor(low / step)) > low ? 1 : 0)
  const last = Math.floor(high / step) + (edge(Math.floor(high / step) + 1) > high ? 1 : 2)
  return Array.from({ length: last - first + 1 }, (_, place) => edge(first + place))
}

function logarithmicEdges(low: number, high: number): number[] {
  // A decade more on either side, whatever the logarithm rounds to.
  const from = Math.floor(Math.log10(low)) - 1
  const to = Math.floor(Math.log10(high)) + 2
  const all = Array.from({ length: to - from }, (_, place) =>
    STEPS.map((step) => tidy(step * 10 ** (from + place))),
  ).flat()
  const first = all.findLastIndex((edge) => edge <= low)
  const last = all.findIndex((edge) => edge > high)
  return all.slice(first, last + 1)
}

/** What is shorter than the first edge counts in the first bin. */
function count(samples: Samples, edges: readonly number[]): LatencyHistogram {
  const counts = new Uint32Array(edges.length - 1)
  for (const sample of samples) {
    const place = Math.max(
      0,
      edges.findLastIndex((edge) => edge <= sample),
    )
    counts[place] = (counts[place] ?? 0) + 1
  }
  return [...counts].map((found, place) => ({
    from: edges[place] ?? 0,
    to: edges[place + 1] ?? 0,
    count: found,
  }))
}

/** Powers of ten below 1 are not exact. */
const tidy = (edge: number): number => Number(edge.toPrecision(12))
