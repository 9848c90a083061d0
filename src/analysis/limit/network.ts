// What an ordinary call of a record took on its way, told by those that were refused: nothing was made of their answer.
import type { CallSeen } from '../../domain/limit.ts'

export interface Network {
  /** Milliseconds from the sending of an ordinary call until the endpoint saw it. */
  readonly oneWayMs: number
  /** Milliseconds by which the network may have moved one ordinary call against another. */
  readonly slackMs: number
}

/** Clocks and event loops are no better than this. */
const LEAST_SLACK_MS = 2
/** Calls sent within so short a time tell of one moment: a flood of them weighs no more than a single call. */
const MOMENT_MS = 20
/** Of calls all of which were sent together, each weighs the same. */
const NO_WEIGHT = 1e-6
const MOST_LOOKED_AT = 5000

/**
 * A refusal's round trip is the network's alone: half of it is the way there, its spread the doubt about that.
 * `byMoment`: every moment counts the same, however many calls were sent in it; else every call.
 */
export function measureNetwork(seen: readonly CallSeen[], order: Uint32Array, byMoment: boolean): Network {
  const step = Math.max(1, Math.ceil(order.length / MOST_LOOKED_AT))
  const trips: { readonly ms: number; readonly weight: number }[] = []
  let fastest = Infinity
  for (let nth = 0; nth < order.length; nth += step) {
    const one = seen[order[nth] ?? 0]
    if (one === undefined) break
    fastest = Math.min(fastest, one.endedMs - one.sentMs)
    if (!one.refused) continue
    const before = seen[order[nth - 1] ?? -1]?.sentMs ?? -Infinity
    const after = seen[order[nth + 1] ?? -1]?.sentMs ?? Infinity
    const aloneMs = Math.min(one.sentMs - before, after - one.sentMs)
    trips.push({
      ms: one.endedMs - one.sentMs,
      weight: byMoment ? Math.min(1, aloneMs / MOMENT_MS) + NO_WEIGHT : 1,
    })
  }
  if (trips.length === 0) return { oneWayMs: 0, slackMs: LEAST_SLACK_MS }
  trips.sort((a, b) => a.ms - b.ms)
  const at = quantiles(trips)
  // A single stall must not hide what the rest would show.
  const spread = Math.min(at(0.98) - at(0.02), 3 * (at(0.75) - at(0.25)) + LEAST_SLACK_MS)
  return { oneWayMs: at(0.5) / 2, slackMs: Math.max(LEAST_SLACK_MS, spread) }
}

/** Ascending in, where a share of the weight lies below out. */
function quantiles(trips: readonly { readonly ms: number; readonly weight: number }[]) {
  let sum = 0
  const upTo = trips.map(({ weight }) => (sum += weight))
  const mean = sum / trips.length
  return (share: number): number => {
    // Of trips that weigh the same, the one nearest to that share of the way from the first to the last.
    const place = upTo.findIndex((weight) => weight > share * (sum - mean) + mean / 2)
    return trips[place < 0 ? trips.length - 1 : place]?.ms ?? 0
  }
}
