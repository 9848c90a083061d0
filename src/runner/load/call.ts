// Sends a turn of a load test and measures it.
import type { AttemptReport, AttemptResult } from '../../domain/attempt.ts'
import type { AnchoredClock } from '../../domain/clock.ts'
import { readHints } from '../../pace/hints.ts'
import { observe } from '../../pace/observation.ts'
import type { RunnerOptions } from '../run.ts'
import type { Stop } from '../../domain/stop.ts'
import { createPatience, Misdirections, toMicroseconds } from '../stops.ts'
import type { ThreadState } from '../thread-state.ts'
import { type AttemptPorts, type Decision, sendTurn, settleTurn, type TurnRules } from '../turn.ts'

/** Times are milliseconds of the test's monotonic clock. */
export interface LoadCall {
  readonly thread: ThreadState
  readonly arrival: number
  /** When the turn was due; its response time counts from here. */
  readonly dueAt: number
}

/**
 * Response time is wait, lag of the load generator and service time. `slotFreeAt`: when a slot became free.
 */
function measure({ dueAt }: LoadCall, slotFreeAt: number, { sentAt, endedAt }: AttemptReport) {
  const couldBeSentAt = Math.max(dueAt, slotFreeAt)
  return {
    waitMs: toMicroseconds(couldBeSentAt - dueAt),
    lagMs: toMicroseconds(Math.max(0, sentAt - couldBeSentAt)),
    serviceMs: toMicroseconds(endedAt - sentAt),
    responseMs: toMicroseconds(endedAt - dueAt),
  }
}

export type CallRules = Pick<RunnerOptions, 'runId' | 'giveUpAfterMs' | 'rotatingIds'>
export type LoadRules = CallRules & Pick<RunnerOptions, 'maxCalls'>

export interface CallEnd {
  readonly decision: Decision
  readonly report: AttemptReport
  /** Minimum pause before the user's next thread, in milliseconds; 0 after an answer. */
  readonly pauseMs: number
  /** Why the test ends; undefined if it does not. */
  readonly stop: Stop | undefined
}

export function createCallSender(ports: AttemptPorts & { readonly clock: AnchoredClock }, rules: CallRules) {
  const { clock } = ports
  const { runId, rotatingIds, giveUpAfterMs } = rules
  const turnRules: TurnRules = { rotatingIds, restartOnAmbiguous: false, retryUnprocessed: false }
  const patience = createPatience(giveUpAfterMs)
  const misdirections = new Misdirections<undefined>()

  const conclude = (call: LoadCall, attempt: number, slotFreeAt: number, report: AttemptReport): CallEnd => {
    const at = clock.wall()
    const { result, sentAt } = report
    const times = measure(call, slotFreeAt, report)
    const record = { kind: 'result', at, attempt, ...times, result } as const
    const decision = settleTurn(call.thread, ports, turnRules, record)
    const now = clock.now()
    patience.note(observe(result, at), result, sentAt, now)
    misdirections.ended(attempt, result, attempt, undefined)
    const stop = decision.kind === 'keyRefused' ? decision : (misdirections.inARow() ?? patience.gaveUp(now))
    return { decision, report, pauseMs: pauseAfter(result, at), stop }
  }

  /**
   * Sends the call as attempt number `attempt`. Calls either `ended` or `failed`, once; `failed` with an
   * error of recording or sending.
   */
  return (
    call: LoadCall,
    attempt: number,
    slotFreeAt: number,
    ended: (settled: CallEnd) => void,
    failed: (error: unknown) => void,
  ): void => {
    const settle = (report: AttemptReport): void => {
      let settled: CallEnd
      try {
        settled = conclude(call, attempt, slotFreeAt, report)
      } catch (error) {
        failed(error)
        return
      }
      ended(settled)
    }
    misdirections.sent(attempt)
    try {
      const due = { arrival: call.arrival, dueAt: clock.wallOf(call.dueAt) }
      sendTurn(call.thread, ports, { attempt, runId, due }, { ended: settle, failed })
    } catch (error) {
      failed(error)
    }
  }
}

const MIN_PAUSE_MS = 1000
/** A longer `Retry-After` would end the user's part in the test. */
const MAX_PAUSE_MS = 60_000

/**
 * Minimum pause between a thread's last result and its user's next thread, in milliseconds; think time may be
 * longer. 0 after an answer; otherwise the wait that the endpoint named (such as `Retry-After`), from a
 * second to a minute. `wall`: when the result arrived, in milliseconds since the epoch.
 */
function pauseAfter(result: AttemptResult, wall: number): number {
  if (result.kind === 'reply') return 0
  const named = result.kind === 'rejection' ? readHints(result.headers, wall).namedMs : undefined
  return Math.max(MIN_PAUSE_MS, Math.min(named ?? 0, MAX_PAUSE_MS))
}
