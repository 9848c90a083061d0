// A run: requests a permit, sends the next turn, and records the result, until no turn is left.
import TinyQueue from 'tinyqueue'
import type { AttemptReport } from '../domain/attempt.ts'
import { duration } from '../domain/format.ts'
import type { ResultRecord } from '../domain/journal.ts'
import type { Stop } from '../domain/stop.ts'
import type { Limiter, Permit } from '../pace/limiter.ts'
import { type Observation, observe } from '../pace/observation.ts'
import {
  type EndedCall,
  interruption,
  Misdirections,
  Patience,
  stopOfError,
  toMicroseconds,
} from './stops.ts'
import {
  applyDecision,
  type AttemptPorts,
  currentTurn,
  sendTurn,
  settleTurn,
  type ThreadState,
  type TurnRules,
  turnsLeft,
} from './thread.ts'
import { Wait } from './clock.ts'

export interface RunnerPorts extends AttemptPorts {
  readonly limiter: Limiter
  readonly note: (text: string) => void
}

export interface RunnerOptions extends TurnRules {
  readonly runId: string
  readonly maxCalls: number | undefined
  readonly giveUpAfterMs: number
  readonly attemptsBefore: number
  /** Ends sending once no answer can change the exit code. Each conversation is then sent to its end. */
  readonly isDecided?: (() => boolean) | undefined
}

/** Sends every turn that has no outcome yet, until `signal` aborts. Resolves when no call is in flight. */
export const runThreads = async (
  threads: readonly ThreadState[],
  ports: RunnerPorts,
  options: RunnerOptions,
  signal: AbortSignal,
): Promise<Stop> => new Run(threads, ports, options, signal).send()

class Run {
  readonly #threads: readonly ThreadState[]
  readonly #ports: RunnerPorts
  readonly #options: RunnerOptions
  readonly #signal: AbortSignal
  readonly #ready: TinyQueue<ThreadState>
  readonly #patience: Patience
  readonly #misdirections = new Misdirections()
  readonly #wait: Wait
  readonly #halt = new AbortController()
  /** Is aborted by `#halt` (a stop from within) or the caller's signal. */
  readonly #stopped: AbortSignal
  #attempts: number
  #left: number
  #inFlight = 0
  #stop: Stop | undefined
  #isDecided = false
  #requestedAt: number | undefined
  #cancelRequest: () => void = () => undefined
  #cancelPatienceTimer: () => void = () => undefined

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
    this.#ready = new TinyQueue(
      threads.filter((thread) => turnsLeft(thread) > 0),
      restartedLast(options.isDecided === undefined ? longestFirst : inOrder),
    )
    this.#wait = new Wait(ports.clock)
    this.#patience = new Patience(options.giveUpAfterMs)
    this.#stopped = AbortSignal.any([signal, this.#halt.signal])
    this.#attempts = options.attemptsBefore
    this.#left = threads.reduce((sum, thread) => sum + turnsLeft(thread), 0)
  }

  async send(): Promise<Stop> {
    const { maxCalls = Infinity } = this.#options
    const forget = this.#ports.limiter.expect(() =>
      Math.min(this.#left - this.#inFlight, maxCalls - this.#attempts),
    )
    const onStopped = (): void => {
      this.#cancelRequest()
      this.#wait.wake()
    }
    this.#stopped.addEventListener('abort', onStopped, { once: true })
    const endWatch = this.#watchLimiter()
    this.#checkDecided()
    while (!this.#stopped.aborted && (this.#ready.length > 0 || this.#inFlight > 0)) {
      if (this.#ready.length === 0) await this.#wait.until(Infinity)
      else if (this.#attempts >= maxCalls) {
        const last = this.#patience.trouble?.stop.last
        this.#stopFor({ kind: 'budget', maxCalls, ...(last !== undefined && { last }) })
      } else await this.#sendNext()
    }
    while (this.#inFlight > 0) await this.#wait.until(Infinity)
    if (!this.#stopped.aborted) this.#settleMisdirected()
    this.#stopped.removeEventListener('abort', onStopped)
    endWatch()
    forget()
    this.#cancelPatienceTimer()
    if (this.#stop !== undefined) return this.#stop
    // The calls in flight when it was decided may have been the last ones.
    if (this.#threads.every((thread) => turnsLeft(thread) === 0)) return { kind: 'done' }
    return this.#isDecided ? { kind: 'decided' } : interruption(this.#signal)
  }

  #stopFor(reason: Stop): void {
    this.#stop ??= reason
    this.#halt.abort()
  }

  /** Lets a certain verdict precede a used up budget, which does not matter then. */
  #checkDecided(): void {
    if (this.#signal.aborted || this.#left === 0 || this.#options.isDecided?.() !== true) return
    this.#isDecided = true
    if (this.#stop?.kind === 'budget') this.#stop = undefined
    this.#halt.abort()
  }

  /** Chooses the turn after the wait for a permit: one that was refused may be ready again by then. */
  async #sendNext(): Promise<void> {
    const { clock, limiter } = this.#ports
    const requestedAt = clock.now()
    this.#requestedAt = requestedAt
    const permit = await new Promise<Permit | undefined>((resolve) => {
      const cancel = limiter.request(resolve)
      this.#cancelRequest = () => {
        cancel()
        resolve(undefined)
      }
    })
    this.#requestedAt = undefined
    const thread = this.#stopped.aborted ? undefined : this.#ready.pop()
    if (permit === undefined) this.#halt.abort()
    else if (thread === undefined) permit.settle(NO_OBSERVATION)
    else this.#attempt(thread, permit, thread.readyAt ?? requestedAt)
  }

  #attempt(thread: ThreadState, permit: Permit, readyAt: number): void {
    this.#attempts += 1
    this.#inFlight += 1
    const attempt = this.#attempts
    const waitMs = toMicroseconds(Math.max(0, permit.grantedAt - readyAt))
    this.#misdirections.sent(attempt)
    const ended = ({ sentAt, endedAt, result }: AttemptReport): void => {
      const at = this.#ports.clock.wall()
      const observation = observe(result, at)
      try {
        const serviceMs = toMicroseconds(endedAt - sentAt)
        this.#settle(thread, { kind: 'result', at, attempt, waitMs, serviceMs, result })
        this.#patience.note(observation, result, permit.grantedAt, this.#ports.clock.now(), thread)
      } catch (error) {
        this.#stopFor(stopOfError(error))
      }
      this.#release(permit, observation)
    }
    const failed = (error: unknown): void => {
      this.#stopFor(stopOfError(error))
      this.#release(permit, NO_OBSERVATION)
    }
    try {
      sendTurn(thread, this.#ports, this.#options.runId, attempt, { ended, failed })
    } catch (error) {
      failed(error)
    }
  }

  #settle(thread: ThreadState, record: ResultRecord): void {
    const { attempt, result } = record
    const call = { thread, attempt, question: currentTurn(thread).index, result }
    const before = turnsLeft(thread)
    const decision = settleTurn(thread, this.#ports, this.#options, record)
    this.#left += turnsLeft(thread) - before
    const singles = this.#misdirections.ended(call)
    if (this.#stop?.kind !== 'elsewhere') this.#refuse(singles)
    this.#checkDecided()
    const stop = decision.kind === 'stopped' ? decision.stop : this.#misdirections.inARow()
    if (stop !== undefined && !this.#isDecided) this.#stopFor(stop)
    if (decision.kind === 'abandoned' || decision.kind === 'misdirected' || turnsLeft(thread) === 0) return
    thread.readyAt = this.#ports.clock.now()
    this.#ready.push(thread)
  }

  #release(permit: Permit, observation: Observation): void {
    this.#inFlight -= 1
    permit.settle(observation)
    this.#checkPatience()
    this.#wait.wake()
  }

  /** Settles the last ones once nothing is left to send: `refused`, unless the run has met nothing else. */
  #settleMisdirected(): void {
    if (this.#threads.every(({ next }) => next === 0)) this.#stop = this.#misdirections.inARow(1)
    else this.#refuse(this.#misdirections.held)
  }

  #refuse(calls: readonly EndedCall[]): void {
    const at = this.#ports.clock.wall()
    for (const { thread, attempt } of calls) {
      this.#left -= turnsLeft(thread)
      const records = applyDecision(thread, { kind: 'failed', outcome: 'refused' }, attempt, at)
      for (const record of records) this.#ports.record(record, thread)
    }
  }

  /** Watches for a limiter that grants nothing, although a call is due and none is in flight. */
  #watchLimiter(): () => void {
    const { clock, limiter, note } = this.#ports
    let silentSince = clock.now()
    let isNoted = false
    const check = (): void => {
      const now = clock.now()
      const { nextAt } = limiter.state()
      const dueAt = nextAt === Infinity ? now : nextAt
      const isDue = this.#requestedAt !== undefined && dueAt < now + LIMITER_CHECK_MS
      if (this.#inFlight > 0 || !isDue) silentSince = Math.max(now, dueAt)
      const silentMs = now - Math.max(silentSince, this.#requestedAt ?? now)
      // A machine under load may be late by a second: that is no silence, however short the patience.
      if (silentMs >= LIMITER_NOTE_MS) {
        const since = `No call was granted for ${duration(silentMs)}`
        const text = `${since}: Redis is slow, or other processes take all`
        if (silentMs >= this.#patience.limitMs) return this.#stopFor({ kind: 'limiterLost', reason: text })
        if (!isNoted) note(text)
        isNoted = true
      }
      cancel = clock.after(Math.max(LIMITER_CHECK_MS, dueAt - now), check)
    }
    let cancel = clock.after(LIMITER_CHECK_MS, check)
    return () => cancel()
  }

  /** Needs a timer, since patience may end during a backoff. A call in flight then may still be answered. */
  #checkPatience(): void {
    this.#cancelPatienceTimer()
    const { trouble } = this.#patience
    if (this.#stopped.aborted || trouble === undefined) return
    const { clock } = this.#ports
    const leftMs = trouble.stopAt - clock.now()
    if (leftMs <= 0) this.#stopFor(trouble.stop)
    else
      this.#cancelPatienceTimer = clock.after(Math.max(1, leftMs), () => {
        if (this.#inFlight === 0) this.#checkPatience()
      })
  }
}

/** Is how often a silent limiter is looked for; the next constant is when it is named. */
const LIMITER_CHECK_MS = 1000
const LIMITER_NOTE_MS = 10_000

const NO_OBSERVATION: Observation = { kind: 'nothing' }

/** Puts conversations that began again last: a second failure ends them, as in an outage. */
const restartedLast =
  (order: typeof inOrder): typeof inOrder =>
  (a, b) =>
    Number(a.restarted) - Number(b.restarted) || order(a, b)

/**
 * Puts retries first, then the thread with the most turns left, so that no long conversation delays the end
 * of the run (longest processing time first); then set order.
 */
const longestFirst = (a: ThreadState, b: ThreadState): number =>
  Number(b.tries > 0) - Number(a.tries > 0) || turnsLeft(b) - turnsLeft(a) || inOrder(a, b)

/** Sends each conversation to its end: those in progress are the first of their order. */
const inOrder = (a: ThreadState, b: ThreadState): number => a.order - b.order || a.repeat - b.repeat
