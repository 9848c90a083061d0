// What went wrong with an attempt, in one line.
import type { AttemptResult } from './attempt.ts'

/** Undefined for an answer, and for what has no result. */
export function describeError(result: AttemptResult | undefined): string | undefined {
  switch (result?.kind) {
    case 'rejection':
      return result.error.message
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

/** The endpoint's error code, or that of the network failure. */
export function errorCodeOf(result: AttemptResult | undefined): string | undefined {
  if (result?.kind === 'rejection') return result.error.code
  return result !== undefined && 'code' in result ? result.code : undefined
}
