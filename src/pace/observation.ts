// What the limiter learns from an attempt's result.
import { isAmbiguous, type AttemptResult } from '../domain/attempt.ts'
import { retryAfterMs } from './retry-after.ts'

export type Observation =
  /** The endpoint took the call. */
  | { readonly kind: 'accepted' }
  /** 429; `namedMs` is the wait that the endpoint asked for. */
  | { readonly kind: 'rateLimited'; readonly namedMs: number | undefined }
  /** 5xx, a timeout, a lost answer; `reached` is false where there was no connection. */
  | { readonly kind: 'failed'; readonly reached: boolean; readonly cause: string }
  /** Says nothing about the limit: given up by ourselves. */
  | { readonly kind: 'nothing' }

/** `wall`: milliseconds since the epoch when the answer came. */
export function observe(result: AttemptResult, wall: number): Observation {
  if (result.kind === 'abandoned') return { kind: 'nothing' }
  if (result.kind === 'rejection' && result.httpStatus === 429)
    return { kind: 'rateLimited', namedMs: retryAfterMs(result.headers, wall) }
  if (result.kind === 'network' && !result.sent) return { kind: 'failed', reached: false, cause: result.code }
  if (isAmbiguous(result)) return { kind: 'failed', reached: true, cause: describe(result) }
  return { kind: 'accepted' }
}

function describe(result: AttemptResult): string {
  if (result.kind === 'rejection') return `HTTP ${result.httpStatus}`
  return result.kind === 'network' ? result.code : result.kind
}
