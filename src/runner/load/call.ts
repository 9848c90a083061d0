// Sends a turn of a load test and measures it.
import type { AttemptReport, AttemptResult } from '../../domain/attempt.ts'
import type { AnchoredClock } from '../clock.ts'
import { readHints } from '../../pace/hints.ts'
import { observe } from '../../pace/observation.ts'
import type { Stop } from '../../domain/stop.ts'
import { Misdirections, Patience, toMicroseconds } from '../stops.ts'
import type { ThreadState } from '../thread-state.ts'
import { type AttemptPorts, type Decision, sendTurn, settleTurn, type TurnRules } from '../turn.ts'

/** Times are milliseconds of the test's monotonic clock. */
export interface LoadCall {
  readonly thread: ThreadState
  readonly arrival: number
  /** When the turn was due; its response time counts from here. */
  readonly dueAt: number
}

export interface LoadRules {
  readonly runId: string
  readonly giveUpAfterMs: number
  readonly rotatingIds: boolean
  readonly maxCalls?: number | undefined
}

export interface CallEnd {
  readonly decision: Decision
  readonly report: AttemptReport
  /** Minimum pause before the user's next thread, in milliseconds; 0 after an answer. */
  readonly pauseMs: number
  /** Why the test ends; undefined if it does not. */
  readonly stop: Stop | undefined
}

export class CallSender {
  readonly #ports: AttemptPorts
  readonly #clock: AnchoredClock
  readonly #runId: string
  readonly #rules: TurnRules
  readonly #patience: Patience
  readonly #misdirections = new Misdirections()

  constructor(ports: AttemptPorts, clock: AnchoredClock, { runId, rotatingIds, giveUpAfterMs }: LoadRules) {
    this.#ports = { ...ports, clock }
    this.#clock = clock
    this.#runId = runId
    this.#rules = { rotatingIds, restartOnAmbiguous: false, retryUnprocessed: false }
    this.#patience = new Patience(giveUpAfterMs)
  }

  /**
   * Sends the call, at once, as attempt number `attempt`. Response time is wait, lag of the load generator
   * and service time; `slotFreeAt`: when a slot became free. Rejects with an error of recording or sending.
   */
  async send({ thread, arrival, dueAt }: LoadCall, attempt: number, slotFreeAt: number): Promise<CallEnd> {
    const clock = this.#clock
    this.#misdirections.sent(attempt)
    const report = await new Promise<AttemptReport>((ended, failed) => {
      const due = { arrival, dueAt: clock.wallOf(dueAt) }
      sendTurn(thread, this.#ports, this.#runId, attempt, { ended, failed }, due)
    })
    const { result, sentAt, endedAt } = report
    const at = clock.wall()
    const couldBeSentAt = Math.max(dueAt, slotFreeAt)
    const decision = settleTurn(thread, this.#ports, this.#rules, {
      kind: 'result',
      at,
      attempt,
      waitMs: toMicroseconds(couldBeSentAt - dueAt),
      lagMs: toMicroseconds(Math.max(0, sentAt - couldBeSentAt)),
      serviceMs: toMicroseconds(endedAt - sentAt),
      responseMs: toMicroseconds(endedAt - dueAt),
      result,
    })
    const now = clock.now()
    this.#patience.note(observe(result, at), result, sentAt, now)
    this.#misdirections.ended({ thread, attempt, question: attempt, result })
    const stop =
      decision.kind === 'keyRefused' ? decision : (this.#misdirections.inARow() ?? this.#patience.gaveUp(now))
    return { decision, report, pauseMs: pauseAfter(result, at), stop }
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
