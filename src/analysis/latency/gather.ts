// Gathers how long a run's answers took, and which took longest, in the pass that feeds the other reports.
import type { LatencyHistogram, SlowTurn } from '../../domain/latency-histogram.ts'
import type { TurnRecord } from '../../domain/turn.ts'
import { latencyHistogram } from './histogram.ts'

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
