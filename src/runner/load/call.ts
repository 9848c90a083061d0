// A turn of a load test that is due, and what is measured of it once it has come back.
import type { AttemptReport } from '../../domain/attempt.ts'
import type { Permit } from '../../pace/limiter.ts'
import type { ThreadState } from '../thread-state.ts'
import { toMicroseconds } from '../microseconds.ts'
import type { Due } from './due-queue.ts'

/** Times are milliseconds of the test's monotonic clock. */
export interface Call extends Due {
  readonly thread: ThreadState
  readonly arrival: number
  /** When the turn was due: what its response time counts from, however often it is asked. */
  readonly dueAt: number
  /** When it could be sent, but for room: `dueAt`, or when the limiter gave leave to ask again. */
  readonly readyAt: number
  /** What limiter and backoff took before this attempt. */
  readonly backoffMs: number
  /** The limiter's leave to ask again. */
  readonly permit?: Permit
}

export const firstCall = (thread: ThreadState, arrival: number, dueAt: number): Call => ({
  thread,
  arrival,
  dueAt,
  readyAt: dueAt,
  backoffMs: 0,
})

export interface Measured {
  readonly waitMs: number
  readonly lagMs: number
  readonly serviceMs: number
  readonly responseMs: number
}

/**
 * Nothing is back-filled: a first attempt's response time is its waiting, the generator's lag and its service time; that
 * of a turn asked again holds the earlier attempts, too. `roomAt`: when there came to be room for it.
 */
export function measure(
  { dueAt, readyAt, backoffMs }: Call,
  roomAt: number,
  { sentAt, endedAt }: AttemptReport,
): Measured {
  const couldBeSentAt = Math.max(readyAt, roomAt)
  return {
    waitMs: toMicroseconds(backoffMs + couldBeSentAt - readyAt),
    lagMs: toMicroseconds(Math.max(0, sentAt - couldBeSentAt)),
    serviceMs: toMicroseconds(endedAt - sentAt),
    responseMs: toMicroseconds(endedAt - dueAt),
  }
}
