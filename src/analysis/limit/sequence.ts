// The calls of a record in the order in which the endpoint saw them, as typed arrays, for replaying limits.
import type { LimitCall } from '../../domain/limit.ts'

export const [ACCEPTED, REFUSED, UNKNOWN] = [0, 1, 2] as const
const CODES = { accepted: ACCEPTED, refused: REFUSED, unknown: UNKNOWN } as const

export type Sequence = ReturnType<typeof createSequence>

/** Only the latest calls are replayed, which bounds the time. */
const MAX_CALLS = 4000

/** Times are milliseconds since the epoch. */
export function createSequence(calls: readonly LimitCall[]) {
  const { oneWayMs, toleranceMs } = measureNetwork(calls)
  const used = calls.toSorted((a, b) => a.sentAt - b.sentAt).slice(-MAX_CALLS)
  const count = used.length
  const at = Float64Array.from(used, ({ sentAt }) => sentAt + oneWayMs)
  const verdict = Uint8Array.from(used, (call) => CODES[call.verdict])
  const [acceptedBefore, possibleBefore] = [new Uint32Array(count), new Uint32Array(count)]
  let [accepted, possible] = [0, 0]
  for (let i = 0; i < count; i += 1) {
    acceptedBefore[i] = accepted
    possibleBefore[i] = possible
    if (verdict[i] === ACCEPTED) accepted += 1
    if (verdict[i] !== REFUSED) possible += 1
  }
  const momentsOf = (some: readonly LimitCall[]) => ({
    at: Float64Array.from(some, ({ sentAt }) => sentAt + oneWayMs),
    doneAt: Float64Array.from(some, ({ sentAt, endedAt }) =>
      Math.max(sentAt + oneWayMs, endedAt - oneWayMs),
    ).sort(),
  })
  return {
    count,
    calls: used,
    at,
    verdict,
    /** Counts calls accepted before each call; `possibleBefore` includes those with an unknown verdict. */
    acceptedBefore,
    possibleBefore,
    accepted: momentsOf(used.filter((call) => call.verdict === 'accepted')),
    possible: momentsOf(used.filter((call) => call.verdict !== 'refused')),
    streaks: findStreaks(at, verdict, acceptedBefore),
    /** The network may have moved one call relative to another by so much. */
    toleranceMs,
  }
}

/** A streak is of consecutive refusals; `accepted` counts the calls accepted before them. */
function findStreaks(at: Float64Array, verdict: Uint8Array, acceptedBefore: Uint32Array) {
  const streaks = []
  for (let first = 0; first < at.length; first += 1) {
    if (verdict[first] !== REFUSED) continue
    let last = first
    while (verdict[last + 1] === REFUSED) last += 1
    streaks.push({
      firstAt: at[first] ?? 0,
      lastAt: at[last] ?? 0,
      accepted: acceptedBefore[last] ?? 0,
      /** It is undefined if the next call is unknown, or if there is none. */
      reopenedAt: verdict[last + 1] === ACCEPTED ? at[last + 1] : undefined,
    })
    first = last
  }
  return streaks
}

/** Clocks and event loops are not more exact. */
const MIN_TOLERANCE_MS = 2

/** A refusal takes only network time: half of its round trip is the way there. */
function measureNetwork(calls: readonly LimitCall[]): { oneWayMs: number; toleranceMs: number } {
  const refused = calls.filter(({ verdict }) => verdict === 'refused').slice(-MAX_CALLS)
  const trips = refused.map(({ sentAt, endedAt }) => endedAt - sentAt).sort((a, b) => a - b)
  if (trips.length === 0) return { oneWayMs: 0, toleranceMs: MIN_TOLERANCE_MS }
  const quantile = (share: number): number => trips[Math.round(share * (trips.length - 1))] ?? 0
  // The quartiles keep a single stall from widening the tolerance for all calls.
  const spread = Math.min(
    quantile(0.98) - quantile(0.02),
    3 * (quantile(0.75) - quantile(0.25)) + MIN_TOLERANCE_MS,
  )
  return { oneWayMs: quantile(0.5) / 2, toleranceMs: Math.max(MIN_TOLERANCE_MS, spread) }
}
