// How long a user of a closed loop waits after a failure: a person does not ask on at the speed of an error.
import type { AttemptResult } from '../../domain/attempt.ts'
import { readHints } from '../../pace/hints.ts'

const AT_LEAST_MS = 1000
/** A `Retry-After` of hours would take the user out of the test. */
const AT_MOST_MS = 60_000

/**
 * Milliseconds from a thread's last result to its user's next thread, at least; think time may be longer. 0 after an
 * answer; after a failure or a 429 a second, or what the endpoint named with it (`Retry-After` and its like), up to a
 * minute. `wall`: milliseconds since the epoch when the result came.
 */
export function pauseAfter(result: AttemptResult, wall: number): number {
  if (result.kind === 'reply') return 0
  const named = result.kind === 'rejection' ? readHints(result.headers, wall).namedMs : undefined
  return Math.max(AT_LEAST_MS, Math.min(named ?? 0, AT_MOST_MS))
}
