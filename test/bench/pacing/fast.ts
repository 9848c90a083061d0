// The limits of `npm run bench -- pacing-http` in virtual time: answers of 0.15 s, 429s of 4 ms, a fast network. Real time measures
// the same, plus the noise of the machine.
import { bucket, fixed, limited, retryAfter, sliding, type Server, xReset } from './servers.ts'

export const FAST = { medianMs: 150, refusalMs: 4 }
export const JITTER_MS = 3

/** `goal`: minimum share of the limit and maximum of 429s, both in %. */
export type Shape = readonly [
  name: string,
  perSecond: number,
  calls: number,
  goal: readonly number[],
  () => Server,
]

export const shapes: readonly Shape[] = [
  ['fixed window 60/6s', 10, 400, [90, 1.5], () => limited([fixed(60, 6)])],
  ['20/s b2, Retry-After', 20, 400, [75, 2], () => limited([bucket(20, 2)], retryAfter)],
  ['token bucket 10/s b10', 10, 600, [92, 2], () => limited([bucket(10, 10)])],
  ['fixed window 20/2s', 10, 600, [92, 2], () => limited([fixed(20, 2)])],
  ['sliding window 20/2s', 10, 600, [92, 2], () => limited([sliding(20, 2)])],
  ['sliding window, Reset', 10, 600, [85, 2], () => limited([sliding(20, 2)], xReset)],
]
