// Sends a turn of a load test and measures it.
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
  /** When the turn was due; its response time counts from here. */
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
 * The response time is the sum of wait, lag of the load generator, and service time. `roomAt`: when a slot became free.
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

/** Reads the wall clock once and derives all later times from the monotonic clock. */
export function anchorClock(clock: Clock): Clock & { readonly wallOf: (moment: number) => number } {
  const [startedAt, wallAtStart] = [clock.now(), clock.wall()]
  const wallOf = (moment: number): number => toMicroseconds(wallAtStart + moment - startedAt)
  return { now: () => clock.now(), wall: () => wallOf(clock.now()), after: clock.after.bind(clock), wallOf }
}

export type LoadRules = Pick<RunnerOptions, 'runId' | 'maxCalls' | 'giveUpAfterMs' | 'rotatingIds'>

export interface Asked {
  readonly decision: Decision
  readonly report: AttemptReport
  /** Minimum pause before the user's next thread, in milliseconds; 0 after an answer. */
  readonly pauseMs: number
  /** Why `--give-up-after` ends the test; undefined if it does not. */
  readonly loss: Loss | undefined
}

/**
 * Sends the call as attempt number `attempt`. `roomAt`: as in `measure`. Calls either `ended` or `failed`, once;
 * `failed` with an error of recording or sending.
 */
type AskCall = (
  call: Call,
  attempt: number,
  roomAt: number,
  ended: (asked: Asked) => void,
  failed: (error: unknown) => void,
) => void

/** `wallOf`: converts a time of the clock to milliseconds since the epoch. */
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
    // Fast path.
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
/** A longer `Retry-After` would end the user's part in the test. */
const AT_MOST_MS = 60_000

/**
 * Minimum pause between a thread's last result and its user's next thread, in milliseconds; think time may be longer.
 * 0 after an answer; otherwise the wait that the endpoint named (such as `Retry-After`), from a second to a minute.
 * `wall`: when the result arrived, in milliseconds since the epoch.
 */
function pauseAfter(result: AttemptResult, wall: number): number {
  if (result.kind === 'reply') return 0
  const named = result.kind === 'rejection' ? readHints(result.headers, wall).namedMs : undefined
  return Math.max(AT_LEAST_MS, Math.min(named ?? 0, AT_MOST_MS))
}
