// A circuit breaker: an endpoint that fails in a row is left alone, then asked by one call at a time. Where nothing is paced
// (`--rate unlimited`), so is one that refuses.
import { type Closure, closeFor, LONGEST_CLOSURE_MS, withWait } from './closing.ts'
import type { Observation } from './observation.ts'

/** Backoff of the whole organization: full jitter over a doubling ceiling (AWS Architecture Blog, 2015). */
const BASE_MS = 1000
const CAP_MS = 60_000
/** A probe at once would meet the same failure. */
const LEAST_MS = 250
/** This many ambiguous failures in a row, of any thread, open the circuit; a missing connection does at once. */
const FAILURES_TO_OPEN = 3

/** A failure says nothing of the rate limit: it does not cut the pace (Nygard, Release It!, 2007). */
export interface Breaker {
  /** Failures in a row; so many open it. */
  failures: number
  /** The number of the one call that asks whether the endpoint is back; while it is out, nothing else goes. */
  probe: number | null
  closure: Closure | null
  /** A wait that the endpoint named with a failure holds, whatever other calls bring meanwhile. */
  namedUntil: number | null
}

export const createBreaker = (): Breaker => ({
  failures: 0,
  probe: null,
  closure: null,
  namedUntil: null,
})

export const isOpen = ({ failures }: Breaker): boolean => failures >= FAILURES_TO_OPEN

/** Full jitter; `round` counts from 0, `random` is uniform in [0, 1). */
export const backoffMs = (round: number, random: () => number): number =>
  random() * Math.min(CAP_MS, BASE_MS * 2 ** round)

/** Earliest time for a call that is otherwise due at `dueAt`; Infinity while a probe is out. */
export function notBefore(breaker: Breaker, dueAt: number): number {
  const due = Math.max(dueAt, breaker.namedUntil ?? dueAt)
  if (!isOpen(breaker)) return due
  return breaker.probe === null ? Math.max(due, breaker.closure?.until ?? due) : Infinity
}

/** Call `number` came back; `isPaced`: refusals are for the pace to heed. Returns what changed, in words, if anything did. */
export function noteEnd(
  breaker: Breaker,
  now: number,
  { number, isPaced }: { readonly number: number; readonly isPaced: boolean },
  observation: Observation,
  random: () => number,
): string | undefined {
  if (observation.kind === 'failed') return noteFailure(breaker, now, number, observation, random)
  if (observation.kind === 'rateLimited' && !isPaced) {
    const { namedMs } = observation
    const isLong = namedMs !== undefined && namedMs > 0
    const failure = { kind: 'failed', reached: false, cause: '429', namedMs } as const
    const change = noteFailure(breaker, now, number, failure, random)
    return change === undefined || isLong ? change : '429'
  }
  if (observation.kind === 'nothing') {
    // Given up by ourselves: the next call asks.
    if (breaker.probe === number) breaker.probe = null
    return undefined
  }
  // Any answer, a refusal too, says that the endpoint is there.
  const wasOpen = isOpen(breaker)
  breaker.failures = 0
  breaker.probe = null
  return wasOpen ? 'the endpoint answers again' : undefined
}

function noteFailure(
  breaker: Breaker,
  now: number,
  number: number,
  { reached, cause, namedMs = 0 }: Extract<Observation, { kind: 'failed' }>,
  random: () => number,
): string | undefined {
  if (namedMs > 0) {
    breaker.closure = closeFor(breaker.closure, now, namedMs)
    breaker.namedUntil = Math.max(breaker.namedUntil ?? 0, now + Math.min(namedMs, LONGEST_CLOSURE_MS))
  }
  const named = namedMs > 0 ? withWait(cause, namedMs) : undefined
  // What was under way when the circuit opened failed for the same reason.
  if (isOpen(breaker) && breaker.probe !== number) return named
  breaker.failures = reached ? breaker.failures + 1 : Math.max(breaker.failures + 1, FAILURES_TO_OPEN)
  if (!isOpen(breaker)) return named
  breaker.probe = null
  const ms = LEAST_MS + backoffMs(breaker.failures - FAILURES_TO_OPEN, random)
  breaker.closure = closeFor(breaker.closure, now, ms)
  return (
    named ?? (reached ? `${breaker.failures} failures in a row, last ${cause}` : `no connection: ${cause}`)
  )
}
