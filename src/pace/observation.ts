// What the limiter learns from an attempt's result.
import { isAmbiguous, type AttemptResult } from '../domain/attempt.ts'
import { readHints, retryAfterMs, type Hints } from './hints.ts'

export type Observation =
  /** The endpoint took the call. `lateMs`: by how much later than its leave it began to be sent, where that is worth telling. */
  | { readonly kind: 'accepted'; readonly hints?: Hints; readonly lateMs?: number | undefined }
  /** 429; `namedMs` is the wait that the endpoint asked for. */
  | { readonly kind: 'rateLimited'; readonly namedMs: number | undefined; readonly hints?: Hints }
  /**
   * 5xx, a timeout, a lost answer; `reached` is false where there was no connection, `namedMs` the wait that a 5xx asked
   * for.
   */
  | {
      readonly kind: 'failed'
      readonly reached: boolean
      readonly cause: string
      readonly namedMs?: number | undefined
    }
  /** Says nothing about the limit: given up by ourselves. */
  | { readonly kind: 'nothing' }

/** A call that opens a connection leaves so much later than it might, or more. Milliseconds. */
const LATE_MS = 10

/**
 * `wall`: milliseconds since the epoch when the answer came. `lateMs`: from the leave to send it to the first byte that was
 * sent.
 */
export function observe(result: AttemptResult, wall: number, lateMs = 0): Observation {
  if (result.kind === 'abandoned') return { kind: 'nothing' }
  if (result.kind === 'rejection' && result.httpStatus === 429) {
    const hints = readHints(result.headers, wall)
    return { kind: 'rateLimited', namedMs: hints.namedMs, hints }
  }
  if (result.kind === 'network' && !result.sent) return { kind: 'failed', reached: false, cause: result.code }
  if (isAmbiguous(result)) {
    const namedMs = result.kind === 'rejection' ? retryAfterMs(result.headers, wall) : undefined
    return { kind: 'failed', reached: true, cause: describe(result), namedMs }
  }
  const headers = 'headers' in result ? result.headers : undefined
  const late = lateMs >= LATE_MS ? { lateMs } : undefined
  if (isEmpty(headers)) return late === undefined ? ACCEPTED : { kind: 'accepted', ...late }
  return { kind: 'accepted', hints: readHints(headers, wall), ...late }
}

const ACCEPTED: Observation = { kind: 'accepted' }

/** Most answers carry no hint: nothing is parsed for them. */
function isEmpty(headers: object | undefined): boolean {
  for (const _ in headers) return false
  return true
}

function describe(result: AttemptResult): string {
  if (result.kind === 'rejection') return `HTTP ${result.httpStatus}`
  return result.kind === 'network' ? result.code : result.kind
}
