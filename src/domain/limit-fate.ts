// What an attempt's result tells of the limit: let through, refused, or nothing.
import type { AttemptResult } from './attempt.ts'

/**
 * Whether it was refused for going too fast. Undefined where that cannot be told: no status came, or another refusal or a
 * fault, which an endpoint may count or not.
 */
export function wasRefused(result: AttemptResult): boolean | undefined {
  const status = 'httpStatus' in result ? (result.httpStatus ?? 0) : 0
  if (status === 429) return true
  return status >= 200 && status < 300 ? false : undefined
}
