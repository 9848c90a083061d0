// The calls of a record in the order in which the endpoint saw them, as numbers side by side: what a limit is replayed over.
import type { LimitCall } from '../../domain/limit.ts'

export const [ACCEPTED, REFUSED, UNKNOWN] = [0, 1, 2] as const
const CODES = { accepted: ACCEPTED, refused: REFUSED, unknown: UNKNOWN } as const

/** Milliseconds since the epoch. */
export interface Sequence {
  readonly count: number
  /** When the endpoint saw each call, as far as that is known; ascending. */
  readonly at: Float64Array
  /** Of each call: ACCEPTED, REFUSED or UNKNOWN. */
  readonly verdict: Uint8Array
  /** Calls accepted before each one, and those among them that only perhaps were. */
  readonly acceptedBefore: Uint32Array
  readonly perhapsBefore: Uint32Array
  readonly accepted: Moments
  /** The accepted ones and the unknown ones. */
  readonly perhaps: Moments
  /** When the limit was closed, in the order of time. */
  readonly closures: readonly Closure[]
  /** By how much the network may have moved one call against another. */
  readonly toleranceMs: number
}

/** When calls came and when the endpoint was done with them; each ascending. */
interface Moments {
  readonly at: Float64Array
  readonly doneAt: Float64Array
}

/** Refusals in a row. */
export interface Closure {
  readonly firstAt: number
  readonly lastAt: number
  readonly accepted: number
  /** When the call came that was accepted next; undefined where the next is unknown, or none came. */
  readonly openedAt: number | undefined
}

/** So many calls are replayed at most, the latest: that bounds the time it takes. */
export const MOST_CALLS = 4000

export function arrange(calls: readonly LimitCall[]): Sequence {
  const { oneWayMs, toleranceMs } = measureNetwork(calls)
  const used = thin(calls).slice(-MOST_CALLS)
  const count = used.length
  const at = Float64Array.from(used, ({ sentAt }) => sentAt + oneWayMs)
  const verdict = Uint8Array.from(used, (call) => CODES[call.verdict])
  const [acceptedBefore, perhapsBefore] = [new Uint32Array(count), new Uint32Array(count)]
  let [accepted, perhaps] = [0, 0]
  for (let i = 0; i < count; i += 1) {
    acceptedBefore[i] = accepted
    perhapsBefore[i] = perhaps
    if (verdict[i] === ACCEPTED) accepted += 1
    if (verdict[i] !== REFUSED) perhaps += 1
  }
  const momentsOf = (some: readonly LimitCall[]): Moments => ({
    at: Float64Array.from(some, ({ sentAt }) => sentAt + oneWayMs),
    doneAt: Float64Array.from(some, ({ sentAt, endedAt }) =>
      Math.max(sentAt + oneWayMs, endedAt - oneWayMs),
    ).sort(),
  })
  return {
    count,
    at,
    verdict,
    acceptedBefore,
    perhapsBefore,
    accepted: momentsOf(used.filter((call) => call.verdict === 'accepted')),
    perhaps: momentsOf(used.filter((call) => call.verdict !== 'refused')),
    closures: findClosures(at, verdict, acceptedBefore),
    toleranceMs,
  }
}

/** In the order of sending. Of refusals in a row the first two and the last two stay: those between say nothing more. */
export function thin(calls: readonly LimitCall[]): LimitCall[] {
  const ordered = calls.toSorted((one, other) => one.sentAt - other.sentAt)
  const isRefused = (place: number): boolean => ordered[place]?.verdict === 'refused'
  return ordered.filter((_, place) => ![-2, -1, 0, 1, 2].every((step) => isRefused(place + step)))
}

function findClosures(at: Float64Array, verdict: Uint8Array, acceptedBefore: Uint32Array): Closure[] {
  const closures: Closure[] = []
  for (let first = 0; first < at.length; first += 1) {
    if (verdict[first] !== REFUSED) continue
    let last = first
    while (verdict[last + 1] === REFUSED) last += 1
    closures.push({
      firstAt: at[first] ?? 0,
      lastAt: at[last] ?? 0,
      accepted: acceptedBefore[last] ?? 0,
      openedAt: verdict[last + 1] === ACCEPTED ? at[last + 1] : undefined,
    })
    first = last
  }
  return closures
}

/** Clocks and event loops are no better than this. */
const LEAST_TOLERANCE_MS = 2

/** A refusal's round trip is the network's alone: half of it is the way there, its spread the doubt about that. */
function measureNetwork(calls: readonly LimitCall[]): { oneWayMs: number; toleranceMs: number } {
  const refused = calls.filter(({ verdict }) => verdict === 'refused').slice(-MOST_CALLS)
  const trips = refused.map(({ sentAt, endedAt }) => endedAt - sentAt).sort((a, b) => a - b)
  if (trips.length === 0) return { oneWayMs: 0, toleranceMs: LEAST_TOLERANCE_MS }
  const quantile = (share: number): number => trips[Math.round(share * (trips.length - 1))] ?? 0
  // A single stall must not hide what the other calls show.
  const spread = Math.min(
    quantile(0.98) - quantile(0.02),
    3 * (quantile(0.75) - quantile(0.25)) + LEAST_TOLERANCE_MS,
  )
  return { oneWayMs: quantile(0.5) / 2, toleranceMs: Math.max(LEAST_TOLERANCE_MS, spread) }
}
