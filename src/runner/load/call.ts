// A turn of a load test that is due, and what is measured of it once it has come back.
import type { AttemptReport } from '../../domain/attempt.ts'
import type { ThreadState } from '../thread-state.ts'
import { toMicroseconds } from '../microseconds.ts'
import type { Due } from './due-queue.ts'

/** Times are milliseconds of the test's monotonic clock. */
export interface Call extends Due {
  readonly thread: ThreadState
  readonly arrival: number
  /** When the turn was due: what its response time counts from. */
  readonly dueAt: number
}

export const firstCall = (thread: ThreadState, arrival: number, dueAt: number): Call => ({
  thread,
  arrival,
  dueAt,
})

export interface Measured {
  readonly waitMs: number
  readonly lagMs: number
  readonly serviceMs: number
  readonly responseMs: number
}

/**
 * Nothing is back-filled: the response time is the waiting, the generator's lag and the service time. `roomAt`: when there
 * came to be room for it.
 */
export function measure({ dueAt }: Call, roomAt: number, { sentAt, endedAt }: AttemptReport): Measured {
  const couldBeSentAt = Math.max(dueAt, roomAt)
  return {
    waitMs: toMicroseconds(couldBeSentAt - dueAt),
    lagMs: toMicroseconds(Math.max(0, sentAt - couldBeSentAt)),
    serviceMs: toMicroseconds(endedAt - sentAt),
    responseMs: toMicroseconds(endedAt - dueAt),
  }
}
