// A network failure in words and as a code.
import { plural } from '../domain/digits.ts'

/** The code of the failure or of its cause: `ECONNREFUSED`, `UND_ERR_SOCKET`; `UNKNOWN` where there is none. */
export function failureCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'UNKNOWN'
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? failureCode(error.cause) : 'UNKNOWN'
}

/** Node's error for a host with several addresses has no message of its own: its parts do. */
export function describeFailure(error: Error): string {
  if (error instanceof AggregateError && error.errors.length > 0)
    return [...new Set(error.errors.map((part: Error) => part.message))].join('; ')
  return error.message === '' ? failureCode(error) : error.message
}

/** Of a connection that ended, whoever ended it; other failures have no shorter words than their own. */
const CLOSED: readonly string[] = ['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** Of a request that was sent. `bodyBytes`: what came of the answer's body; undefined where not even its status came. */
export function describeBreak(error: Error, bodyBytes: number | undefined): string {
  const own = describeFailure(error)
  if (bodyBytes !== undefined)
    return `the answer was cut off after ${plural(bodyBytes, 'byte')} of its body (${own})`
  return CLOSED.includes(failureCode(error)) ? `the connection closed before any answer (${own})` : own
}
