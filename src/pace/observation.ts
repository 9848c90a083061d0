// What an attempt's result tells the limiter.
import { isAmbiguous, type AttemptResult } from '../domain/attempt.ts'
import { readHints, retryAfterMs, type Hints } from './hints.ts'

export type Observation =
  /** The endpoint accepted the call. `lateMs`: how long after its permit it was sent, if that was at least `LATE_MS`. */
  | { readonly kind: 'accepted'; readonly hints?: Hints; readonly lateMs?: number | undefined }
  /** 429. `namedMs`: the wait that the endpoint asked for. */
  | { readonly kind: 'rateLimited'; readonly namedMs: number | undefined; readonly hints?: Hints }
  /** 5xx, timeout, or lost answer. `reached`: false without a connection. `namedMs`: the wait that a 5xx asked for. */
  | {
      readonly kind: 'failed'
      readonly reached: boolean
      readonly cause: string
      readonly namedMs?: number | undefined
    }
  /** The harness gave the call up. */
  | { readonly kind: 'nothing' }

/** A call that must open a connection first is at least this late. Milliseconds. */
const LATE_MS = 10

/** `wall`: when the answer arrived, milliseconds since the epoch. `lateMs`: from the permit to the first byte sent. */
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

/** Most answers carry no hint. */
function isEmpty(headers: object | undefined): boolean {
  for (const _ in headers) return false
  return true
}

function describe(result: AttemptResult): string {
  if (result.kind === 'rejection') return `HTTP ${result.httpStatus}`
  return result.kind === 'network' ? result.code : result.kind
}
