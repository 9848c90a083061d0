// What the limiter learns from an attempt's result.
import { isAmbiguous, type AttemptResult } from '../domain/attempt.ts'
import { readHints, type Hints } from './hints.ts'

export type Observation =
  /** The endpoint took the call. */
  | { readonly kind: 'accepted'; readonly hints?: Hints }
  /** 429; `namedMs` is the wait that the endpoint asked for. */
  | { readonly kind: 'rateLimited'; readonly namedMs: number | undefined; readonly hints?: Hints }
  /** 5xx, a timeout, a lost answer; `reached` is false where there was no connection. */
  | { readonly kind: 'failed'; readonly reached: boolean; readonly cause: string }
  /** Says nothing about the limit: given up by ourselves. */
  | { readonly kind: 'nothing' }

/** `wall`: milliseconds since the epoch when the answer came. */
export function observe(result: AttemptResult, wall: number): Observation {
  if (result.kind === 'abandoned') return { kind: 'nothing' }
  if (result.kind === 'rejection' && result.httpStatus === 429) {
    const hints = readHints(result.headers, wall)
    return { kind: 'rateLimited', namedMs: hints.namedMs, hints }
  }
  if (result.kind === 'network' && !result.sent) return { kind: 'failed', reached: false, cause: result.code }
  if (isAmbiguous(result)) return { kind: 'failed', reached: true, cause: describe(result) }
  const headers = 'headers' in result ? result.headers : undefined
  return isEmpty(headers) ? ACCEPTED : { kind: 'accepted', hints: readHints(headers, wall) }
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
