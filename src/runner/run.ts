// A run: requests a permit, sends the next turn, and records the result, until no turn is left.
import TinyQueue from 'tinyqueue'
import type { AttemptReport } from '../domain/attempt.ts'
import { duration } from '../domain/format.ts'
import type { Stop } from '../domain/stop.ts'
import type { Limiter, Permit } from '../pace/limiter.ts'
import { type Observation, observe } from '../pace/observation.ts'
import {
  createPatience,
  interruption,
  Misdirections,
  type Patience,
  stopOfError,
  toMicroseconds,
} from './stops.ts'
import { currentTurn, type ThreadState, turnsLeft } from './thread-state.ts'
import { applyDecision, type AttemptPorts, sendTurn, settleTurn, type TurnRules } from './turn.ts'

export interface RunnerPorts extends AttemptPorts {
  readonly limiter: Limiter
  /** Tells the user. */
  readonly note: (text: string) => void
}

export interface RunnerOptions extends TurnRules {
  readonly runId: string
  /** Maximum attempts over all sessions; undefined: no limit. */
  readonly maxCalls: number | undefined
  readonly giveUpAfterMs: number
  /** Attempts of earlier sessions. */
  readonly attemptsBefore: number
  /**
   * Ends sending once no answer to come can change the exit code. Conversations are then sent in their order,
   * each to its end, whatever their length.
   */
  readonly isDecided?: (() => boolean) | undefined
}

/** Sends every turn that has no outcome yet, until `signal` aborts. Resolves when no call is in flight. */
export const runThreads = async (
  threads: readonly ThreadState[],
  ports: RunnerPorts,
  options: RunnerOptions,
  signal: AbortSignal,
): Promise<Stop> => new Run(threads, ports, options, signal).send()

/** The sending of one session. */
class Run {
  readonly #threads: readonly ThreadState[]
  readonly #ports: RunnerPorts
  readonly #options: RunnerOptions
  readonly #signal: AbortSignal
  readonly #ready: ReadyQueue
  readonly #permits: Permits
  readonly #patience: Patience
  readonly #misdirections = new Misdirections<HeldCall>()
  /** Aborted by `#stopFor`, which stops sending from within. */
  readonly #halt = new AbortController()
  /** Aborted by `#halt` or the caller's signal. */
  readonly #stopped: AbortSignal
  #attempts: number
  /** Turns without an outcome. */
  #left: number
  #inFlight = 0
  #stop: Stop | undefined
  #isDecided = false
  #cancelPatienceTimer: (() => void) | undefined
  #cancelLimiterTimer: () => void = () => undefined
  /** When the limiter last had a reason to grant nothing. */
  #waitedAt = -Infinity
  #isLimiterNoted = false
  #finish: () => void = () => undefined

  constructor(
    threads: readonly ThreadState[],
    ports: RunnerPorts,
    options: RunnerOptions,
    signal: AbortSignal,
  ) {
    this.#threads = threads
    this.#ports = ports
    this.#options = options
    this.#signal = signal
    this.#ready = new ReadyQueue(threads, options.isDecided === undefined ? longestFirst : inOrder)
    this.#permits = new Permits(
      ports,
      () => this.#wantsPermit(),
      (permit, requestedAt) => this.#usePermit(permit, requestedAt),
    )
    this.#patience = createPatience(options.giveUpAfterMs)
    this.#stopped = AbortSignal.any([signal, this.#halt.signal])
    this.#attempts = options.attemptsBefore
    this.#left = threads.reduce((sum, thread) => sum + turnsLeft(thread), 0)
  }

  async send(): Promise<Stop> {
    const finished = new Promise<void>((resolve) => {
      this.#finish = resolve
    })
    const onStopped = (): void => {
      this.#permits.giveUp()
      this.#finishIfOver()
    }
    this.#stopped.addEventListener('abort', onStopped, { once: true })
    const { maxCalls = Infinity } = this.#options
    const forget = this.#ports.limiter.expect(() =>
      Math.min(this.#left - this.#inFlight, maxCalls - this.#attempts),
    )
    this.#checkDecided()
    this.#pump()
    this.#checkLimiter()
    await finished
    this.#cancelLimiterTimer()
    if (!this.#stopped.aborted) this.#settleMisdirected()
    this.#stopped.removeEventListener('abort', onStopped)
    forget()
    this.#cancelPatienceTimer?.()
    if (this.#stop !== undefined) return this.#stop
    // The calls in flight when it was decided may have been the last ones.
    if (this.#threads.every((thread) => turnsLeft(thread) === 0)) return { kind: 'done' }
    return this.#isDecided ? { kind: 'decided' } : interruption(this.#signal)
  }

  #stopFor(reason: Stop): void {
    this.#stop ??= reason
    this.#halt.abort()
  }

  /** Once nothing is left to send: the last ones are `refused`, unless the run has met nothing else. */
  #settleMisdirected(): void {
    if (this.#threads.every(({ next }) => next === 0)) this.#stop = this.#misdirections.inARow(1)
    else this.#refuse(this.#misdirections.held)
  }

  #refuse(calls: readonly HeldCall[]): void {
    const at = this.#ports.clock.wall()
    for (const { thread, attempt } of calls) {
      this.#left -= turnsLeft(thread)
      const records = applyDecision(thread, { kind: 'failed', outcome: 'refused' }, attempt, at)
      for (const record of records) this.#ports.record(record, thread)
    }
  }

  /** A used up budget does not matter once the verdict is certain. */
  #checkDecided(): void {
    if (this.#signal.aborted || this.#left === 0 || this.#options.isDecided?.() !== true) return
    this.#isDecided = true
    if (this.#stop?.kind === 'budget') this.#stop = undefined
    this.#halt.abort()
  }

  #pump(): void {
    this.#permits.request()
    this.#finishIfOver()
  }

  #finishIfOver(): void {
    const isLeft = this.#ready.size > 0 && !this.#stopped.aborted
    if (this.#inFlight === 0 && this.#permits.requestedAt === undefined && !isLeft) this.#finish()
  }

  /** Whether there is a turn to send. Ends the run if the budget is used up. */
  #wantsPermit(): boolean {
    const { maxCalls } = this.#options
    if (this.#stopped.aborted || this.#ready.size === 0) return false
    if (maxCalls === undefined || this.#attempts < maxCalls) return true
    const last = this.#patience.trouble()
    this.#stopFor({ kind: 'budget', maxCalls, ...(last !== undefined && { last }) })
    return false
  }

  /** `permit`: undefined if the limiter is closed. */
  #usePermit(permit: Permit | undefined, requestedAt: number): void {
    if (permit === undefined) {
      this.#halt.abort()
      return
    }
    // Chosen after the wait, since a refused turn may be ready again by now.
    const thread = this.#stopped.aborted ? undefined : this.#ready.pop()
    if (thread === undefined) permit.settle(NO_OBSERVATION)
    else {
      const waitedMs = permit.grantedAt - (thread.readyAt ?? requestedAt)
      this.#attempt(thread, permit, toMicroseconds(Math.max(0, waitedMs)))
    }
    this.#finishIfOver()
  }

  #attempt(thread: ThreadState, permit: Permit, waitMs: number): void {
    this.#attempts += 1
    this.#inFlight += 1
    const attempt = this.#attempts
    this.#misdirections.sent(attempt)
    const failed = (error: unknown): void => {
      this.#stopFor(stopOfError(error))
      this.#release(permit, NO_OBSERVATION)
    }
    const ended = (report: AttemptReport): void => this.#settle(thread, permit, attempt, waitMs, report)
    try {
      sendTurn(thread, this.#ports, { attempt, runId: this.#options.runId }, { ended, failed })
    } catch (error) {
      failed(error)
    }
  }

  #settle(thread: ThreadState, permit: Permit, attempt: number, waitMs: number, report: AttemptReport): void {
    let observation: Observation = NO_OBSERVATION
    try {
      const { sentAt, endedAt, result } = report
      const { clock } = this.#ports
      const at = clock.wall()
      observation = observe(result, at)
      const serviceMs = toMicroseconds(endedAt - sentAt)
      const record = { kind: 'result', at, attempt, waitMs, serviceMs, result } as const
      const [before, { index }] = [turnsLeft(thread), currentTurn(thread)]
      const decision = settleTurn(thread, this.#ports, this.#options, record)
      this.#left += turnsLeft(thread) - before
      const singles = this.#misdirections.ended(attempt, result, index, { thread, attempt })
      if (this.#stop?.kind !== 'elsewhere') this.#refuse(singles)
      this.#checkDecided()
      const stop = decision.kind === 'keyRefused' ? decision : this.#misdirections.inARow()
      if (stop !== undefined && !this.#isDecided) this.#stopFor(stop)
      const now = clock.now()
      const isAgain = decision.kind !== 'abandoned' && decision.kind !== 'misdirected'
      if (isAgain && turnsLeft(thread) > 0) {
        thread.readyAt = now
        this.#ready.push(thread)
      }
      this.#patience.note(observation, result, permit.grantedAt, now, thread)
    } catch (error) {
      this.#stopFor(stopOfError(error))
    }
    this.#release(permit, observation)
  }

  /** Returns the permit of an attempt that has ended or was never sent. */
  #release(permit: Permit, observation: Observation): void {
    this.#inFlight -= 1
    permit.settle(observation)
    this.#checkPatience()
    this.#pump()
  }

  /**
   * A limiter that grants nothing, although a call is due and none is in flight, is silent like an endpoint.
   */
  #checkLimiter(): void {
    if (this.#stopped.aborted) return
    const { clock, limiter, note } = this.#ports
    const now = clock.now()
    const { nextAt } = limiter.state()
    const isDue = nextAt < now + LIMITER_CHECK_MS || nextAt === Infinity
    const { requestedAt } = this.#permits
    if (requestedAt === undefined || this.#inFlight > 0 || !isDue) this.#waitedAt = now
    const silentMs = now - Math.max(this.#waitedAt, requestedAt ?? now)
    const text = `No call was granted for ${duration(silentMs)}: Redis is slow, or other processes take all`
    const isSilent = silentMs >= LIMITER_NOTE_MS
    // A machine under load may be late by a second: that is no silence, however short the patience.
    if (isSilent && silentMs >= this.#patience.limitMs())
      return this.#stopFor({ kind: 'limiterLost', reason: text })
    if (isSilent && !this.#isLimiterNoted) note(text)
    this.#isLimiterNoted ||= isSilent
    const waitMs = nextAt === Infinity ? 0 : nextAt - now
    const checkMs = Math.max(LIMITER_CHECK_MS, waitMs)
    this.#cancelLimiterTimer = clock.after(checkMs, () => this.#checkLimiter())
  }

  /**
   * A timer checks patience as well, since it may end during a backoff. A call in flight then may still be
   * answered.
   */
  #checkPatience(isTimer = false): void {
    this.#cancelPatienceTimer?.()
    this.#cancelPatienceTimer = undefined
    if (this.#stopped.aborted || (isTimer && this.#inFlight > 0)) return
    const { clock } = this.#ports
    const now = clock.now()
    const gaveUp = this.#patience.gaveUp(now)
    if (gaveUp !== undefined) return this.#stopFor(gaveUp)
    const remaining = this.#patience.remainingMs(now)
    if (remaining !== undefined)
      this.#cancelPatienceTimer = clock.after(Math.max(1, remaining), () => this.#checkPatience(true))
  }
}

/** How often a silent limiter is looked for, and when it is named. */
const LIMITER_CHECK_MS = 1000
const LIMITER_NOTE_MS = 10_000

interface HeldCall {
  readonly thread: ThreadState
  readonly attempt: number
}

const NO_OBSERVATION: Observation = { kind: 'nothing' }

/**
 * Requests permits, one at a time, while `wants` says that there are turns to send. A permit may be granted
 * synchronously, so this is a loop and not a recursion.
 */
class Permits {
  readonly #ports: RunnerPorts
  readonly #wants: () => boolean
  readonly #use: (permit: Permit | undefined, requestedAt: number) => void
  #isLooping = false
  #requestedAt: number | undefined
  #cancel: (() => void) | undefined

  /** `use` gets the permit, or undefined if the limiter is closed, and the time of the request. */
  constructor(
    ports: RunnerPorts,
    wants: () => boolean,
    use: (permit: Permit | undefined, requestedAt: number) => void,
  ) {
    this.#ports = ports
    this.#wants = wants
    this.#use = use
  }

  /** Since when a permit is requested; undefined if none is. */
  get requestedAt(): number | undefined {
    return this.#requestedAt
  }

  request(): void {
    if (this.#isLooping) return
    this.#isLooping = true
    while (this.#requestedAt === undefined && this.#wants()) this.#requestOne()
    this.#isLooping = false
  }

  #requestOne(): void {
    const { limiter, clock } = this.#ports
    const requestedAt = clock.now()
    this.#requestedAt = requestedAt
    const giveUp = limiter.request((permit) => {
      this.#cancel = undefined
      this.#requestedAt = undefined
      this.#use(permit, requestedAt)
      this.request()
    })
    // Unless the permit was granted synchronously.
    if (this.#requestedAt !== undefined) this.#cancel = giveUp
  }

  giveUp(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#requestedAt = undefined
  }
}

/**
 * Retries first, then the thread with the most turns left (longest processing time first), so that no long
 * conversation delays the end of the run; then set order.
 */
function longestFirst(a: ThreadState, b: ThreadState): number {
  return Number(b.tries > 0) - Number(a.tries > 0) || turnsLeft(b) - turnsLeft(a) || inOrder(a, b)
}

/** Conversations in progress are the first of their order, so each is sent to its end. */
const inOrder = (a: ThreadState, b: ThreadState): number => a.order - b.order || a.repeat - b.repeat

type Compare = (a: ThreadState, b: ThreadState) => number

/** A heap of threads in progress and a sorted list of fresh ones, most of which are never compared again. */
export class ReadyQueue {
  readonly #fresh: readonly ThreadState[]
  #taken = 0
  readonly #started: TinyQueue<ThreadState>
  readonly #compare: Compare

  /** Ignores threads without turns left. */
  constructor(threads: readonly ThreadState[], compare: Compare = longestFirst) {
    this.#compare = compare
    this.#started = new TinyQueue<ThreadState>([], compare)
    this.#fresh = threads.filter((thread) => turnsLeft(thread) > 0).sort(compare)
  }

  get size(): number {
    return this.#fresh.length - this.#taken + this.#started.length
  }

  push(thread: ThreadState): void {
    this.#started.push(thread)
  }

  pop(): ThreadState | undefined {
    const [started, fresh] = [this.#started.peek(), this.#fresh[this.#taken]]
    if (fresh === undefined || (started !== undefined && this.#compare(started, fresh) < 0))
      return this.#started.pop()
    this.#taken += 1
    return fresh
  }
}
