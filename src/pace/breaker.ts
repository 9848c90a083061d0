// A circuit breaker: after consecutive failures it pauses the organization, then sends one probe at a time. With
// `--rate unlimited` it also handles 429s.
import { type Closure, closeFor, withWait } from './closing.ts'
import type { Observation } from './observation.ts'

/** Backoff with full jitter under a doubling ceiling (AWS Architecture Blog, 2015). */
const BASE_MS = 1000
const CAP_MS = 60_000
/** A probe at once would meet the same failure. */
const LEAST_MS = 250
/** Consecutive ambiguous failures, of any thread, that open the circuit; a failed connection opens it at once. */
const FAILURES_TO_OPEN = 3

/** A failure says nothing about the rate limit and does not lower the pace (Nygard, Release It!, 2007). */
export interface Breaker {
  /** Consecutive failures. */
  failures: number
  /** Number of the probe in flight; nothing else is sent meanwhile. */
  probe: number | null
  closure: Closure | null
}

export const createBreaker = (): Breaker => ({ failures: 0, probe: null, closure: null })

export const isOpen = ({ failures }: Breaker): boolean => failures >= FAILURES_TO_OPEN

/** Earliest time for a call that is due at `due`; Infinity while a probe is in flight. */
export function notBefore(breaker: Breaker, due: number): number {
  if (!isOpen(breaker)) return due
  return breaker.probe === null ? Math.max(due, breaker.closure?.until ?? due) : Infinity
}

/** Notes the result of call `number`. `isPaced`: the pacing policy handles 429s. Returns what changed, in words. */
export function noteEnd(
  breaker: Breaker,
  now: number,
  number: number,
  observation: Observation,
  isPaced: boolean,
  random: () => number,
): string | undefined {
  if (observation.kind === 'failed' || (observation.kind === 'rateLimited' && !isPaced))
    return noteFailure(breaker, now, number, observation, random)
  if (observation.kind === 'nothing') {
    // The harness gave the probe up: the next call is the probe.
    if (breaker.probe === number) breaker.probe = null
    return undefined
  }
  // Any response, a 429 too, shows that the endpoint is up; once it is open, only one to a call sent since: its probe.
  const wasOpen = isOpen(breaker)
  if (wasOpen && breaker.probe !== number) return undefined
  breaker.failures = 0
  breaker.probe = null
  return wasOpen ? 'the endpoint answers again' : undefined
}

function noteFailure(
  breaker: Breaker,
  now: number,
  number: number,
  failure: Extract<Observation, { kind: 'failed' | 'rateLimited' }>,
  random: () => number,
): string | undefined {
  const { namedMs = 0 } = failure
  const cause = failure.kind === 'failed' ? failure.cause : '429'
  const reached = failure.kind === 'failed' && failure.reached
  const named = namedMs > 0 ? withWait(cause, namedMs) : undefined
  // Calls that were in flight when the circuit opened fail for the same reason.
  if (isOpen(breaker) && breaker.probe !== number) return named
  breaker.failures = reached ? breaker.failures + 1 : Math.max(breaker.failures + 1, FAILURES_TO_OPEN)
  if (!isOpen(breaker)) return named
  breaker.probe = null
  const backoffMs = random() * Math.min(CAP_MS, BASE_MS * 2 ** (breaker.failures - FAILURES_TO_OPEN))
  breaker.closure = closeFor(breaker.closure, now, LEAST_MS + backoffMs)
  if (named !== undefined || failure.kind === 'rateLimited') return named ?? cause
  return reached ? `${breaker.failures} failures in a row, last ${cause}` : `no connection: ${cause}`
}
