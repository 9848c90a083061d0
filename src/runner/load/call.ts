// A turn of a load test: sent when it is due, and measured.
import type { AttemptReport, AttemptResult } from '../../domain/attempt.ts'
import type { Clock } from '../../domain/clock.ts'
import { readHints } from '../../pace/hints.ts'
import { observe } from '../../pace/observation.ts'
import { type AttemptPorts, sendTurn, settleTurn } from '../attempt.ts'
import type { Decision, TurnRules } from '../decide.ts'
import type { RunnerOptions } from '../run.ts'
import { createPatience, type Loss, toMicroseconds, wordsOf } from '../stops.ts'
import type { ThreadState } from '../thread-state.ts'
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

/** The wall clock is read once; times between records follow the monotonic clock. */
export function anchorClock(clock: Clock): Clock & { readonly wallOf: (moment: number) => number } {
  const [startedAt, wallAtStart] = [clock.now(), clock.wall()]
  const wallOf = (moment: number): number => toMicroseconds(wallAtStart + moment - startedAt)
  return { now: () => clock.now(), wall: () => wallOf(clock.now()), after: clock.after.bind(clock), wallOf }
}

export type LoadRules = Pick<RunnerOptions, 'runId' | 'maxCalls' | 'giveUpAfterMs' | 'rotatingIds'>

export interface Asked {
  readonly decision: Decision
  readonly report: AttemptReport
  /** How long the user pauses at least before another thread, milliseconds; 0 after an answer. */
  readonly pauseMs: number
  /** What patience ended over; undefined while it lasts. */
  readonly loss: Loss | undefined
}

/**
 * Sends the call as attempt number `attempt`; `roomAt` as in `measure`. One of the two is called, once: `failed` with what
 * recording throws.
 */
type AskCall = (
  call: Call,
  attempt: number,
  roomAt: number,
  ended: (asked: Asked) => void,
  failed: (error: unknown) => void,
) => void

/** `wallOf`: a moment of the clock as milliseconds since the epoch. */
export function createAskCall(
  ports: AttemptPorts,
  rules: Omit<LoadRules, 'maxCalls'>,
  wallOf: (moment: number) => number,
  abandon: AbortSignal,
): AskCall {
  const { clock } = ports
  const { runId, rotatingIds, giveUpAfterMs } = rules
  const turnRules: TurnRules = { rotatingIds, restartOnAmbiguous: false, asksAgain: 'nothing' }
  const patience = createPatience(giveUpAfterMs)

  const conclude = (call: Call, attempt: number, roomAt: number, report: AttemptReport): Asked => {
    const at = clock.wall()
    const { result, sentAt } = report
    const { waitMs, lagMs, serviceMs, responseMs } = measure(call, roomAt, report)
    const record = { kind: 'result', at, attempt, waitMs, lagMs, serviceMs, responseMs, result } as const
    const decision = settleTurn(call.thread, ports, turnRules, record)
    const pauseMs = pauseAfter(result, at)
    const observation = observe(result, at, 0)
    // The common case: no failure.
    if (observation.kind === 'accepted' && patience.isCalm())
      return { decision, report, pauseMs, loss: undefined }
    const now = clock.now()
    patience.note({ observation, words: wordsOf(observation, result), sentAt, now })
    return { decision, report, pauseMs, loss: patience.lostOver(now) }
  }

  return (call, attempt, roomAt, ended, failed) => {
    const settle = (report: AttemptReport): void => {
      let asked: Asked
      try {
        asked = conclude(call, attempt, roomAt, report)
      } catch (error) {
        failed(error)
        return
      }
      ended(asked)
    }
    try {
      const due = { arrival: call.arrival, dueAt: wallOf(call.dueAt) }
      sendTurn(call.thread, ports, { attempt, runId, abandon, due }, { ended: settle, failed })
    } catch (error) {
      failed(error)
    }
  }
}

const AT_LEAST_MS = 1000
/** A `Retry-After` of hours would take the user out of the test. */
const AT_MOST_MS = 60_000

/**
 * Milliseconds from a thread's last result to its user's next thread, at least; think time may be longer. 0 after an
 * answer; after a failure or a 429 a second, or what the endpoint named with it (`Retry-After` and its like), up to a
 * minute. `wall`: milliseconds since the epoch when the result came.
 */
function pauseAfter(result: AttemptResult, wall: number): number {
  if (result.kind === 'reply') return 0
  const named = result.kind === 'rejection' ? readHints(result.headers, wall).namedMs : undefined
  return Math.max(AT_LEAST_MS, Math.min(named ?? 0, AT_MOST_MS))
}
