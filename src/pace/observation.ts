// What an attempt's result reports to the limiter.
import { isAmbiguous, isRateLimited, type AttemptResult } from '../domain/attempt.ts'
import { cut } from '../domain/text.ts'
import { readHints, retryAfterMs, type Hints } from './hints.ts'

export type Observation =
  | { readonly kind: 'accepted'; readonly hints?: Hints | undefined }
  | Refusal
  | Failure
  /** The call was not sent, or the harness gave it up. */
  | { readonly kind: 'nothing' }

/** A 429. `code`: its `error.code`. `namedMs`: the wait that the endpoint named. */
export interface Refusal {
  readonly kind: 'rateLimited'
  readonly code?: string | undefined
  readonly namedMs: number | undefined
  readonly hints?: Hints
}

/** A 5xx, timeout, or lost answer. `reached`: false without a connection. */
export interface Failure {
  readonly kind: 'failed'
  readonly reached: boolean
  readonly cause: string
  readonly namedMs?: number | undefined
}

/** The state of a limiter holds it, and is at most 8 KB. */
const MAX_CODE = 60

/** `wall`: when the answer arrived, milliseconds since the epoch */
export function observe(result: AttemptResult, wall: number): Observation {
  if (result.kind === 'abandoned') return { kind: 'nothing' }
  if (result.kind === 'rejection' && isRateLimited(result)) {
    const hints = readHints(result.headers, wall)
    const { code } = result.error
    return { kind: 'rateLimited', code: code && cut(code, MAX_CODE), namedMs: hints.namedMs, hints }
  }
  const reached = result.kind !== 'network' || result.sent
  if (!reached || isAmbiguous(result)) {
    const namedMs = result.kind === 'rejection' ? retryAfterMs(result.headers, wall) : undefined
    const cause = result.kind === 'rejection' ? `HTTP ${result.httpStatus}` : result.kind
    return { kind: 'failed', reached, cause: result.kind === 'network' ? result.code : cause, namedMs }
  }
  // Most answers carry no hint.
  const hints = Object.keys(result.headers ?? {}).length === 0 ? undefined : readHints(result.headers, wall)
  return { kind: 'accepted', hints }
}
