// The limiter of an organization: calls wait here, in order, until the pacing state lets the next one go.
// shared.ts has the limiter of several processes.
import type { Clock } from '../domain/clock.ts'
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
  request(start: Start): () => void
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
export const createLimiter = (rules: PaceRules, clock: Clock, random: () => number): Limiter =>
  new OneProcess(rules, clock, random)

type Start = (permit: Permit | undefined) => void

/** Holds the requests of this process, in order. Its limiter says when one of them is served. */
export abstract class Gate implements Limiter {
  protected readonly clock: Clock
  /** Counts calls that were sent and are not settled. */
  protected inFlight = 0
  protected isClosed = false
  readonly #listeners = new Set<(change: PaceChange) => void>()
  readonly #expected = new Set<() => number>()
  #isExpecting = false
  /** Holds requests without a permit. */
  readonly #waiting = new Set<{ readonly start: Start }>()
  #reportedNumber = 0
  #cancelTimer: () => void = () => undefined

  constructor(clock: Clock) {
    this.clock = clock
  }

  abstract readonly lost: AbortSignal | undefined
  abstract state(): LimiterState & { readonly inFlight: number }
  /** Serves the requests that are due. Returns in how many milliseconds to look again. */
  protected abstract advance(): number
  protected abstract settle(call: SentCall, observation: Observation): void

  request(start: Start): () => void {
    if (this.isClosed) {
      start(undefined)
      return () => undefined
    }
    const call = { start }
    this.#waiting.add(call)
    this.pump()
    return () => {
      if (this.#waiting.delete(call)) this.pump()
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
    for (const { start } of this.#waiting) start(undefined)
    this.#waiting.clear()
  }

  protected get isWaiting(): boolean {
    return this.#waiting.size > 0
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
    const [call] = this.#waiting
    if (call === undefined) return
    this.#waiting.delete(call)
    this.inFlight += 1
    let isSettled = false
    const settle = (observation: Observation): void => {
      if (isSettled) return
      isSettled = true
      this.inFlight -= 1
      this.settle(sending, observation)
      this.pump()
    }
    call.start({ grantedAt: this.clock.now(), settle })
  }

  protected announce({ number, cause }: PaceState['reported']): void {
    if (number === this.#reportedNumber || this.#listeners.size === 0) return
    this.#reportedNumber = number
    for (const listener of this.#listeners) listener({ ...this.state(), cause })
  }
}

class OneProcess extends Gate {
  readonly lost = undefined
  readonly #random: () => number
  #pace: PaceState

  constructor(rules: PaceRules, clock: Clock, random: () => number) {
    super(clock)
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
