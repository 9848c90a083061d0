// The limiter of an organization. Calls enter through a queue (Bottleneck, which keeps their number), then
// wait here until the pacing state lets the next one go. shared.ts has the limiter of several processes.
import Bottleneck from 'bottleneck'
import type { Clock } from '../domain/clock.ts'
import { BOTTLENECK_PER_SECOND } from './constants.ts'
import type { Observation, SentCall } from './observation.ts'
import { nextSendAt, type PaceStanding, paceOf, step } from './policy.ts'
import type { PaceRules } from './rules.ts'
import { createPaceState, type PaceState } from './state.ts'

/** Permits to send one call now. The holder settles it exactly once. */
export interface Permit {
  readonly grantedAt: number
  settle(observation: Observation): void
}

export interface LimiterState extends PaceStanding {
  /** Is when the next call may be sent, by the limiter's clock; Infinity until an answer arrives. */
  readonly nextAt: number
  /** Counts the processes that share the limit through Redis; undefined without Redis. */
  readonly processes: number | undefined
}

export interface PaceChange extends LimiterState {
  readonly cause: string
}

export interface Limiter {
  /**
   * Calls `start` with a permit, synchronously if one is free, or with undefined once the limiter is closed.
   * Returns a function that cancels the request.
   */
  request(start: (permit: Permit | undefined) => void): () => void
  /** Takes how many calls the caller has still to send. Returns the function that forgets it. */
  expect(left: () => number): () => void
  onChange(listener: (change: PaceChange) => void): () => void
  state(): LimiterState & { readonly inFlight: number }
  /** Aborts when the run must stop: the reason is a StoreError, or a fault of our own. */
  readonly lost?: AbortSignal | undefined
  close(): void
}

/** Says, in a sentence for users, that the shared state cannot be used. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/** Makes the limiter of one process. `random` is uniform in [0, 1). */
export const createLimiter = (
  rules: PaceRules,
  clock: Clock,
  random: () => number,
  queue = queueFor(rules),
): Limiter => new OneProcess(rules, clock, random, queue)

/** Lets jobs in, in order. A job is inside until it calls `leave`. */
export interface Queue {
  enter(job: (leave: () => void) => void): void
  close(): void
}

/** Lets every job in: the pacing state alone keeps the number of calls in flight. */
export const direct: Queue = { enter: (job) => job(() => undefined), close: () => undefined }

/** Sets no `minTime`, not even 0: it times jobs by the wall clock, which may be set back by an hour. */
function queueFor({ rate, concurrency }: PaceRules): Queue {
  if (rate.kind === 'unlimited' || (rate.kind === 'known' && rate.perSecond > BOTTLENECK_PER_SECOND))
    return direct
  const bottleneck = new Bottleneck({ maxConcurrent: concurrency, minTime: -Infinity })
  return {
    // Rejects only for jobs that wait when the queue closes; the limiter has answered them by then.
    enter: (job) => void bottleneck.schedule(async () => new Promise<void>(job)).catch(() => undefined),
    close: () => void bottleneck.stop({ dropWaitingJobs: true }).catch(() => undefined),
  }
}

interface Call {
  readonly start: (permit: Permit | undefined) => void
  leave: () => void
}

/** Holds the requests of this process, in order. Its limiter says when one of them is served. */
export abstract class Gate implements Limiter {
  protected readonly clock: Clock
  /** Counts calls that were sent and are not settled. */
  protected inFlight = 0
  protected isClosed = false
  readonly #queue: Queue
  readonly #listeners = new Set<(change: PaceChange) => void>()
  readonly #expected = new Set<() => number>()
  #isExpecting = false
  /** Holds requests without a permit, and which of them the queue has let in. */
  readonly #requests = new Set<Call>()
  #waiting: Call[] = []
  #reportedNumber = 0
  #cancelTimer: () => void = () => undefined

  constructor(clock: Clock, queue: Queue) {
    this.clock = clock
    this.#queue = queue
  }

  abstract readonly lost: AbortSignal | undefined
  abstract state(): LimiterState & { readonly inFlight: number }
  /** Serves the requests that are due. Returns in how many milliseconds to look again. */
  protected abstract advance(): number
  protected abstract settle(call: SentCall, observation: Observation): void

  request(start: Call['start']): () => void {
    const call: Call = { start, leave: () => undefined }
    if (this.isClosed) {
      start(undefined)
      return () => undefined
    }
    this.#requests.add(call)
    this.#queue.enter((leave) => {
      call.leave = leave
      if (!this.#requests.has(call)) return leave()
      this.#waiting.push(call)
      this.pump()
    })
    return () => {
      if (!this.#requests.has(call)) return
      this.#end(call)
      call.leave()
      this.pump()
    }
  }

  expect(left: () => number): () => void {
    this.#isExpecting = true
    this.#expected.add(left)
    return () => this.#expected.delete(left)
  }

  onChange(listener: (change: PaceChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    this.isClosed = true
    this.#cancelTimer()
    for (const { start } of this.#requests) start(undefined)
    this.#requests.clear()
    this.#queue.close()
  }

  protected get isWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** Counts calls that are still to be sent; null if nobody has said so. */
  protected get left(): number | null {
    return this.#isExpecting ? [...this.#expected].reduce((sum, count) => sum + count(), 0) : null
  }

  protected pump(): void {
    this.#cancelTimer()
    if (this.isClosed) return
    const waitMs = this.advance()
    this.#cancelTimer()
    if (waitMs < Infinity && !this.isClosed) this.#cancelTimer = this.clock.after(waitMs, () => this.pump())
  }

  protected serve(sending: SentCall): void {
    const call = this.#waiting.shift()
    if (call === undefined) return
    this.#end(call)
    this.inFlight += 1
    let isSettled = false
    const settle = (observation: Observation): void => {
      if (isSettled) return
      isSettled = true
      this.inFlight -= 1
      this.settle(sending, observation)
      call.leave()
      this.pump()
    }
    call.start({ grantedAt: this.clock.now(), settle })
  }

  protected announce({ number, cause }: PaceState['reported']): void {
    if (number === this.#reportedNumber || this.#listeners.size === 0) return
    this.#reportedNumber = number
    for (const listener of this.#listeners) listener({ ...this.state(), cause })
  }

  #end(call: Call): void {
    this.#requests.delete(call)
    this.#waiting = this.#waiting.filter((waiting) => waiting !== call)
  }
}

class OneProcess extends Gate {
  readonly lost = undefined
  readonly #random: () => number
  #pace: PaceState

  constructor(rules: PaceRules, clock: Clock, random: () => number, queue: Queue) {
    super(clock, queue)
    this.#random = random
    this.#pace = createPaceState(rules)
  }

  state(): LimiterState & { readonly inFlight: number } {
    const nextAt = this.#nextAt(this.clock.now())
    return { ...paceOf(this.#pace), nextAt, processes: undefined, inFlight: this.inFlight }
  }

  protected advance(): number {
    while (this.isWaiting) {
      const now = this.clock.now()
      const at = this.#nextAt(now)
      if (at > now) return at - now
      const call = { number: this.#pace.sent, at: now, inFlight: this.inFlight + 1 }
      this.#pace = step(this.#pace, { kind: 'sent', call })
      this.serve(call)
    }
    return Infinity
  }

  protected settle(call: SentCall, observation: Observation): void {
    const ended = { kind: 'ended', at: this.clock.now(), call, observation, random: this.#random() } as const
    this.#pace = step({ ...this.#pace, left: this.left }, ended)
    this.announce(this.#pace.reported)
  }

  #nextAt(now: number): number {
    const isFull = this.inFlight >= this.#pace.rules.concurrency
    return isFull ? Infinity : nextSendAt(this.#pace, now, this.inFlight)
  }
}
