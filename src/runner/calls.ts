// The calls of a load test or of a search for the limit: each is sent at once, and measured.
import type { AttemptReport, AttemptResult } from '../domain/attempt.ts'
import type { Stop } from '../domain/stop.ts'
import { observe, readHints } from '../pace/observation.ts'
import { anchorClock, type AnchoredClock, Wait } from './clock.ts'
import { interruption, Misdirections, Patience, stopOfError, toMicroseconds } from './stops.ts'
import {
  type AttemptPorts,
  type Decision,
  sendTurn,
  settleTurn,
  type ThreadState,
  type TurnRules,
  openThread,
} from './thread.ts'

/** Has times in milliseconds of the test's monotonic clock. */
export interface LoadCall {
  readonly thread: ThreadState
  readonly arrival: number
  /** Is when the turn was due; its response time counts from here. */
  readonly dueAt: number
}

/** Sends with arrival k thread k modulo n of n threads, as repeat floor(k / n) + 1: a new conversation. */
export function openArrival(threads: readonly ThreadState[], arrival: number): ThreadState {
  const thread = threads[arrival % threads.length]
  if (thread === undefined) throw new Error('a load test needs a thread')
  return openThread(thread.order, thread.turns, Math.floor(arrival / threads.length) + 1)
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
  /** Is the least pause before the user's next thread, in milliseconds; 0 after an answer. */
  readonly pauseMs: number
}

export class Calls {
  readonly clock: AnchoredClock
  readonly wait: Wait
  attempts = 0
  inFlight = 0
  isEnded = false
  stop: Stop | undefined
  readonly #ports: AttemptPorts
  readonly #runId: string
  readonly #rules: TurnRules
  readonly #patience: Patience
  readonly #misdirections = new Misdirections()
  readonly #signal: AbortSignal
  readonly #onAbort = (): void => this.end(interruption(this.#signal))

  constructor(ports: AttemptPorts, { runId, rotatingIds, giveUpAfterMs }: LoadRules, signal: AbortSignal) {
    this.clock = anchorClock(ports.clock)
    this.wait = new Wait(this.clock)
    this.#ports = { ...ports, clock: this.clock }
    this.#runId = runId
    this.#rules = { rotatingIds, restartOnAmbiguous: false, retryUnprocessed: false }
    this.#patience = new Patience(giveUpAfterMs)
    this.#signal = signal
    signal.addEventListener('abort', this.#onAbort)
    if (signal.aborted) this.#onAbort()
  }

  /** Lets nothing be sent any more. The first reason counts. */
  end(reason: Stop | undefined): void {
    this.stop ??= reason
    this.isEnded = true
    this.wait.wake()
  }

  async close(): Promise<void> {
    while (this.inFlight > 0) await this.wait.until(Infinity)
    this.#signal.removeEventListener('abort', this.#onAbort)
  }

  /** Sends the call at once; a slot became free at `slotFreeAt`. */
  send(call: LoadCall, slotFreeAt: number, ended: (end: CallEnd) => void): void {
    this.attempts += 1
    this.inFlight += 1
    void this.#sendNow(call, this.attempts, slotFreeAt)
      .then(ended)
      .catch((error: unknown) => this.end(stopOfError(error)))
      .finally(() => {
        this.inFlight -= 1
        this.wait.wake()
      })
  }

  /** Splits the response time into wait, lag of the load generator and service time. */
  async #sendNow(
    { thread, arrival, dueAt }: LoadCall,
    attempt: number,
    slotFreeAt: number,
  ): Promise<CallEnd> {
    const { clock } = this
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
      decision.kind === 'stopped'
        ? decision.stop
        : (this.#misdirections.inARow() ?? this.#patience.gaveUp(now))
    if (stop !== undefined) this.end(stop)
    return { decision, report, pauseMs: pauseAfter(result, at) }
  }
}

const MIN_PAUSE_MS = 1000
/** Limits `Retry-After`: a longer one would end the user's part in the test. */
const MAX_PAUSE_MS = 60_000

/**
 * Returns the least pause, in milliseconds, before the user's next thread: 0 after an answer, else the wait
 * that the endpoint named (such as `Retry-After`), from a second to a minute. `wall`: when the result
 * arrived, in milliseconds since the epoch.
 */
function pauseAfter(result: AttemptResult, wall: number): number {
  if (result.kind === 'reply') return 0
  const named = result.kind === 'rejection' ? readHints(result.headers, wall).namedMs : undefined
  return Math.max(MIN_PAUSE_MS, Math.min(named ?? 0, MAX_PAUSE_MS))
}
