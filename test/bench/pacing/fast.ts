// The limits of `npm run bench -- pacing-http` in virtual time: answers of 0.15 s, 429s of 4 ms, a fast network. Real time measures
// the same, plus the noise of the machine.
import type { GoalName } from '../goals.ts'
import { bucket, fixed, limited, retryAfter, sliding, type Server, xReset } from './servers.ts'

export const FAST = { medianMs: 150, refusalMs: 4 }
export const JITTER_MS = 3

/** `goal`: of the share of the limit. */
export type Shape = readonly [
  name: string,
  perSecond: number,
  calls: number,
  goal: GoalName | undefined,
  () => Server,
]

export const shapes: readonly Shape[] = [
  ['fixed window 60/6s', 10, 400, 'fixedWindow', () => limited([fixed(60, 6)])],
  ['20/s b2, Retry-After', 20, 400, 'smallBurst', () => limited([bucket(20, 2)], retryAfter)],
  ['token bucket 10/s b10', 10, 600, undefined, () => limited([bucket(10, 10)])],
  ['fixed window 20/2s', 10, 600, undefined, () => limited([fixed(20, 2)])],
  ['sliding window 20/2s', 10, 600, undefined, () => limited([sliding(20, 2)])],
  ['sliding window, Reset', 10, 600, undefined, () => limited([sliding(20, 2)], xReset)],
]
