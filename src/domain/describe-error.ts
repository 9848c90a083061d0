// What went wrong with an attempt, in one line.
import type { AttemptResult } from './attempt.ts'

/** Undefined for an answer, and for what has no result. */
export function describeError(result: AttemptResult | undefined): string | undefined {
  switch (result?.kind) {
    case 'rejection':
      return `${result.error.message}${describeDetails(result.error.details)}`
    case 'malformed':
      return result.reason
    case 'timeout':
    case 'network':
      return result.message
    case 'abandoned':
      return 'given up by the harness'
    case 'reply':
    case undefined:
      return undefined
  }
}

/** The fields that a validation found fault with; their shape is not shown, so they stand as they came. */
function describeDetails(details: unknown): string {
  if (details === undefined || details === null) return ''
  if (Array.isArray(details) && details.length === 0) return ''
  const text = typeof details === 'string' ? details : JSON.stringify(details)
  return ` (details: ${text.length <= 500 ? text : `${text.slice(0, 500)}…`})`
}

/** The endpoint's error code, or that of the network failure. */
export function errorCodeOf(result: AttemptResult | undefined): string | undefined {
  if (result?.kind === 'rejection') return result.error.code
  return result !== undefined && 'code' in result ? result.code : undefined
}
