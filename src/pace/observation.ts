// What an attempt's result reports to the limiter.
import { isAmbiguous, isRateLimited, type AttemptResult } from '../domain/attempt.ts'
import { cut } from '../domain/text.ts'
import { readHints, retryAfterMs, type Hints } from './hints.ts'

export type Observation =
  | { readonly kind: 'accepted'; readonly hints?: Hints | undefined }
  | Refusal
  | Failure
  /** Says that the call was not sent, or the harness gave it up. */
  | { readonly kind: 'nothing' }

/** Is a 429, with its `error.code` and the wait that the endpoint named. */
export interface Refusal {
  readonly kind: 'rateLimited'
  readonly code?: string | undefined
  readonly namedMs: number | undefined
  readonly hints?: Hints
  /** Is another status that is read as a limit: 503. */
  readonly status?: number
}

/** Is a 5xx, timeout, or lost answer; not `reached` without a connection. */
export interface Failure {
  readonly kind: 'failed'
  readonly reached: boolean
  readonly cause: string
  readonly namedMs?: number | undefined
  /** Says that it is a 503, which a limit may cause, too. */
  readonly isBusy?: boolean
}

/** Reads a result, whose answer arrived at `wall`, milliseconds since the epoch. */
export function observe(result: AttemptResult, wall: number): Observation {
  if (result.kind === 'abandoned') return { kind: 'nothing' }
  if (result.kind === 'rejection' && isRateLimited(result)) {
    const hints = readHints(result.headers, wall)
    const { code } = result.error
    // The state of a limiter is at most 8 KB.
    return { kind: 'rateLimited', code: code && cut(code, 60), namedMs: hints.namedMs, hints }
  }
  const reached = result.kind !== 'network' || result.sent
  if (!reached || isAmbiguous(result)) {
    const namedMs = result.kind === 'rejection' ? retryAfterMs(result.headers, wall) : undefined
    const cause = result.kind === 'rejection' ? `HTTP ${result.httpStatus}` : result.kind
    const isBusy = result.kind === 'rejection' && result.httpStatus === 503
    return {
      kind: 'failed',
      reached,
      cause: result.kind === 'network' ? result.code : cause,
      namedMs,
      isBusy,
    }
  }
  const hints = Object.keys(result.headers ?? {}).length === 0 ? undefined : readHints(result.headers, wall)
  return { kind: 'accepted', hints }
}
