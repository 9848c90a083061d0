// A circuit breaker: after consecutive failures it pauses the organization, then sends one probe at a time.
// It handles 429s, too, with `--rate unlimited`. A failure keeps the pace (Nygard, Release It!, 2007).
import { BACKOFF_MS, EVIDENCE, MAX_BACKOFF_MS, MAX_PLATEAU_CALLS } from './constants.ts'
import type { Failure, Observation, Refusal, SentCall } from './observation.ts'
import { type Pause, pauseFor, refusalCause, withWait } from './pause.ts'

export interface Breaker {
  readonly failures: number
  /** Numbers the probe in flight; nothing else is sent meanwhile. */
  readonly probe: number | null
  readonly pause: Pause | null
}

export const createBreaker = (): Breaker => ({ failures: 0, probe: null, pause: null })

export const isTripped = ({ failures }: Breaker): boolean => failures >= EVIDENCE

/** Gives the earliest time for a call that is due at `due`; Infinity while a probe is in flight. */
export function notBefore(breaker: Breaker, due: number): number {
  if (!isTripped(breaker)) return due
  return breaker.probe === null ? Math.max(due, breaker.pause?.until ?? due) : Infinity
}

export interface End {
  readonly at: number
  readonly call: SentCall
  readonly observation: Observation
  readonly random: number
}

/** Gives the breaker after a call has ended, and the change in words; 429s are the policy's if `isPaced`. */
export function afterEnd(breaker: Breaker, end: End, isPaced: boolean): { breaker: Breaker; cause?: string } {
  const { call, observation } = end
  const isProbe = breaker.probe === call.number
  if (observation.kind === 'failed' || (observation.kind === 'rateLimited' && !isPaced))
    return afterFailure(breaker, end, observation)
  // The harness gave the probe up: the next call is the probe.
  if (observation.kind === 'nothing') return { breaker: isProbe ? { ...breaker, probe: null } : breaker }
  // Any response, a 429 too, shows that the endpoint is up; once it is tripped, only its probe's does.
  if (!isTripped(breaker)) return { breaker: { ...breaker, failures: 0 } }
  if (!isProbe) return { breaker }
  return { breaker: { ...breaker, failures: 0, probe: null }, cause: 'the endpoint answers again' }
}

function afterFailure(
  breaker: Breaker,
  { at, call, random }: End,
  failure: Refusal | Failure,
): { breaker: Breaker; cause?: string } {
  const { namedMs = 0 } = failure
  const what = failure.kind === 'failed' ? failure.cause : refusalCause({ ...failure, namedMs: undefined })
  const named = namedMs > 0 ? { cause: withWait(what, namedMs) } : {}
  // Calls that were in flight when it tripped fail for the same reason.
  if (isTripped(breaker) && breaker.probe !== call.number) return { breaker, ...named }
  // Without a connection, or with a 429, it trips at once.
  const isReached = failure.kind === 'failed' && failure.reached
  const failures = Math.max(breaker.failures + 1, isReached ? 0 : EVIDENCE)
  if (failures < EVIDENCE) return { breaker: { ...breaker, failures }, ...named }
  // Full jitter, doubled (AWS Architecture Blog, 2015): a probe at once would meet the same failure.
  const backoffMs = random * Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** (failures - EVIDENCE))
  const pause = pauseFor(breaker.pause, at, BACKOFF_MS / 4 + backoffMs)
  const inARow = isReached ? `${failures} failures in a row, last ${what}` : `no connection: ${what}`
  return {
    breaker: { failures, probe: null, pause },
    cause: named.cause ?? (failure.kind === 'rateLimited' ? what : inARow),
  }
}

/**
 * Finds a limit that is said as 503: 503s that pause the endpoint as failures do, and again soon after it is
 * back. An endpoint that was down answers then.
 */
export interface Overload {
  /** Is the call at which 503s in a row last paused the endpoint; null if none did. */
  readonly trippedAt: number | null
  /** Says whether they are a limit, and are read as 429s; null if that is not known. */
  readonly isLimit: boolean | null
  /** Counts pauses for them a few calls after the last one: a lower pace does not help. */
  readonly inVain: number
}

/**
 * Notes a 503 to call `number`. `isTrip`: it is the latest of some in a row, which pause the endpoint;
 * `isFirst`: it would close the gate; `isSoon`: it would do so a few calls after the last time.
 */
export function noteBusy(
  before: Overload,
  number: number,
  { isTrip, isFirst, isSoon }: Readonly<Record<'isTrip' | 'isFirst' | 'isSoon', boolean>>,
): Overload {
  const { trippedAt, isLimit } = before
  if (isLimit === null) {
    const isBack = isTrip && trippedAt !== null && number - trippedAt < MAX_PLATEAU_CALLS
    return isBack ? { ...before, isLimit: true } : { ...before, trippedAt: isTrip ? number : trippedAt }
  }
  if (!isLimit || !isFirst) return before
  const inVain = isSoon ? before.inVain + 1 : 0
  return { ...before, inVain, isLimit: inVain <= EVIDENCE }
}
