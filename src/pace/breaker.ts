// A circuit breaker: after consecutive failures it pauses the organization, then sends one probe at a time.
// It handles 429s, too, with `--rate unlimited`. A failure keeps the pace (Nygard, Release It!, 2007).
import { BACKOFF_MS, EVIDENCE, MAX_BACKOFF_MS } from './constants.ts'
import type { Failure, Observation, Refusal, SentCall } from './observation.ts'
import { type Pause, pauseFor, refusalCause, withWait } from './pause.ts'

export interface Breaker {
  readonly failures: number
  /** Numbers the probe in flight; nothing else is sent meanwhile. */
  readonly probe: number | null
  readonly pause: Pause | null
}

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
