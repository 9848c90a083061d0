// The limiter of an organization. Calls enter through a queue (Bottleneck, which keeps their number), then
// wait here for a permit from the pacing state: a timer takes it when it is due.
import Bottleneck from 'bottleneck'
import type { Clock } from '../domain/clock.ts'
import { isTripped } from './breaker.ts'
import { BATCH_MS, BOTTLENECK_PER_SECOND, GONE_MS } from './constants.ts'
import type { Observation } from './observation.ts'
import { type PaceStanding, paceOf } from './policy.ts'
import { type Member, processesOf, turnOf, visit, type Visit } from './processes.ts'
import type { PaceRules } from './rules.ts'
import { createPaceState, type PaceState, type SentCall } from './state.ts'

/** Permission to send one call now. The holder settles it exactly once. */
export interface Permit {
  readonly grantedAt: number
  settle(observation: Observation): void
}

export interface LimiterState extends PaceStanding {
  /** How many processes share the limit through Redis; undefined without Redis. */
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
  /**
   * `left`: how many calls the caller has still to send, those in flight left out. Returns the function that
   * forgets it.
   */
  expect(left: () => number): () => void
  /** Calls `listener` on each change of pace or pause. Returns the function that unsubscribes. */
  onChange(listener: (change: PaceChange) => void): () => void
  state(): LimiterState & { readonly inFlight: number }
  /** Aborts when the run must stop: the reason is a StoreError, or a fault of our own. */
  readonly lost?: AbortSignal | undefined
  /** Cancels requests and timers. */
  close(): void
}

// ---- Where the state lives

/** The shared state cannot be used. The message is a sentence for users. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

export interface Stepped {
  /** The same object if it need not be written back. */
  readonly state: PaceState
}

/** Steps the state; `now` is on the state's clock. */
export type Act<T extends Stepped> = (state: PaceState, now: number) => T

export interface PaceStore {
  /** The state's clock, milliseconds. */
  now(): number
  /** The latest known state. */
  state(): PaceState
  /**
   * Applies `act` to the latest state, one step at a time, and again after a conflict with another process.
   * Calls `done` with its value: synchronously for a state in memory, never once the store is lost.
   */
  step<T extends Stepped>(act: Act<T>, done: (value: T) => void): void
  /** Undefined for a state in memory. `aheadMs`: how far ahead permits are taken. */
  readonly shared: { readonly aheadMs: () => number; readonly lost: AbortSignal } | undefined
}

/** A limiter with its state in memory. `random`: uniform in [0, 1). */
export function createLimiter(
  rules: PaceRules,
  clock: Clock,
  random: () => number,
  queue = queueFor(rules),
): Limiter {
  let state = createPaceState(rules)
  const store: PaceStore = {
    now: () => clock.now(),
    state: () => state,
    step: (act, done) => {
      const value = act(state, clock.now())
      state = value.state
      done(value)
    },
    shared: undefined,
  }
  return new Gate(store, queue, { id: 'this', rules, random }, clock)
}

/** A limiter whose state other processes share. */
export const createSharedLimiter = (store: PaceStore, member: Member, clock: Clock): Limiter =>
  new Gate(store, direct, member, clock)

/** Lets jobs in, in order. A job is inside until it calls `leave`. */
export interface Queue {
  enter(job: (leave: () => void) => void): void
  close(): void
}

/** Without a queue: the pacing state alone keeps the number of calls in flight. */
export const direct: Queue = { enter: (job) => job(() => undefined), close: () => undefined }

/**
 * `minTime` would time jobs by the wall clock, even if it is 0: a clock set back by an hour would hold every
 * job for an hour.
 */
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

// ---- The gate

interface Call {
  readonly start: (permit: Permit | undefined) => void
  /** It has started, or was cancelled. */
  isOver: boolean
  leave: () => void
}

/** Pairs calls that wait with permits of the state. */
class Gate implements Limiter {
  readonly #store: PaceStore
  readonly #queue: Queue
  readonly #member: Member
  readonly #clock: Clock
  readonly #listeners = new Set<(change: PaceChange) => void>()
  readonly #expected = new Set<() => number>()
  #isExpecting = false
  /** Requests without a permit, and those of them that the queue has let in. */
  readonly #requests = new Set<Call>()
  #waiting: Call[] = []
  /** Permits without a call. */
  readonly #permits: SentCall[] = []
  #inFlight = 0
  #results: Visit['results'] = []
  #reportAt = Infinity
  #isStepping = false
  #visitedAt = -Infinity
  /** When the next permit may be taken, as of the latest visit; Infinity until an answer arrives. */
  #takeAt = -Infinity
  #reportedNumber = 0
  #cancelTimer: () => void = () => undefined
  #isClosed = false

  constructor(store: PaceStore, queue: Queue, member: Member, clock: Clock) {
    this.#store = store
    this.#queue = queue
    this.#member = member
    this.#clock = clock
    this.#pump()
  }

  get lost(): AbortSignal | undefined {
    return this.#store.shared?.lost
  }

  request(start: Call['start']): () => void {
    const call: Call = { start, isOver: false, leave: () => undefined }
    if (this.#isClosed) {
      start(undefined)
      return () => undefined
    }
    this.#requests.add(call)
    this.#queue.enter((leave) => {
      call.leave = leave
      if (call.isOver || this.#isClosed) return leave()
      this.#waiting.push(call)
      this.#pump()
    })
    return () => {
      if (call.isOver) return
      this.#end(call)
      call.leave()
      this.#pump()
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

  state(): LimiterState & { readonly inFlight: number } {
    const state = this.#store.state()
    const { pause, ...standing } = paceOf(state)
    const ahead = this.#store.now() - this.#clock.now()
    return {
      ...standing,
      pause: pause && { from: pause.from - ahead, until: pause.until - ahead },
      processes: this.#store.shared && processesOf(state),
      inFlight: this.#inFlight,
    }
  }

  close(): void {
    this.#isClosed = true
    this.#cancelTimer()
    for (const { start } of this.#requests) start(undefined)
    this.#requests.clear()
    this.#queue.close()
  }

  /** Serves calls that wait, and steps the state when there is something to report or to take. */
  #pump(): void {
    this.#cancelTimer()
    if (this.#isClosed || this.#isStepping) return
    const now = this.#store.now()
    // A permit that no call used in its time is returned.
    while ((this.#permits[0]?.at ?? now) < now - BATCH_MS)
      this.#settle(this.#permits.shift(), { kind: 'nothing' })
    while (this.#waiting.length > 0 && this.#permits.length > 0)
      this.#serve(this.#waiting.shift(), this.#permits.shift())
    const stepAt = this.#nextStepAt()
    if (stepAt <= now) this.#step()
    else if (stepAt < Infinity) this.#cancelTimer = this.#clock.after(stepAt - now, () => this.#pump())
  }

  #nextStepAt(): number {
    const { shared } = this.#store
    const isWaiting = this.#waiting.length > 0
    // The state knows that this process waits; without a call it must learn that it does not.
    const isToReport = this.#results.length > 0 || this.#permits.length > 0 || !isWaiting
    const reportAt = isToReport ? this.#reportAt : Infinity
    if (shared === undefined) return Math.min(reportAt, isWaiting ? this.#takeAt : Infinity)
    // An answer is awaited that another process may get.
    const takeAt = this.#takeAt === Infinity ? this.#visitedAt + BATCH_MS : this.#takeAt - shared.aheadMs()
    return Math.min(reportAt, isWaiting ? takeAt : Infinity, this.#visitedAt + GONE_MS / 3)
  }

  #step(): void {
    const [results, isWaiting, { shared }] = [this.#results, this.#waiting.length > 0, this.#store]
    const left = this.#isExpecting ? [...this.#expected].reduce((sum, one) => sum + one(), 0) : null
    const inFlight = this.#inFlight
    this.#isStepping = true
    this.#results = []
    this.#reportAt = Infinity
    this.#store.step(
      (state, now) =>
        visit(state, now, this.#member, {
          results,
          inFlight,
          isWaiting,
          left,
          aheadMs: shared?.aheadMs() ?? 0,
        }),
      ({ permits }) => {
        this.#isStepping = false
        this.#visitedAt = this.#store.now()
        const state = this.#store.state()
        this.#takeAt = turnOf(state, this.#visitedAt, this.#member.id)
        this.#inFlight += permits.length
        this.#permits.push(...permits)
        if (permits.length > 0 && shared !== undefined)
          this.#reportAt = Math.min(this.#reportAt, this.#visitedAt + BATCH_MS)
        this.#announce(state.reported)
        this.#pump()
      },
    )
  }

  #announce({ number, cause }: PaceState['reported']): void {
    if (number === this.#reportedNumber || this.#listeners.size === 0) return
    this.#reportedNumber = number
    for (const listener of this.#listeners) listener({ ...this.state(), cause })
  }

  /** Starts the call at the time of its permit. */
  #serve(call: Call | undefined, sending: SentCall | undefined): void {
    if (call === undefined || sending === undefined) return
    const waitMs = sending.at - this.#store.now()
    const start = (): void => {
      if (call.isOver || this.#isClosed) return this.#settle(sending, { kind: 'nothing' })
      this.#end(call)
      let isSettled = false
      const settle = (observation: Observation): void => {
        if (isSettled) return
        isSettled = true
        this.#settle(sending, observation)
        call.leave()
        this.#pump()
      }
      call.start({ grantedAt: this.#clock.now(), settle })
    }
    if (waitMs > 0 && this.#store.shared !== undefined) this.#clock.after(waitMs, start)
    else start()
  }

  #end(call: Call): void {
    call.isOver = true
    this.#requests.delete(call)
    this.#waiting = this.#waiting.filter((one) => one !== call)
  }

  #settle(sending: SentCall | undefined, observation: Observation): void {
    if (sending === undefined) return
    this.#inFlight -= 1
    this.#results = [...this.#results, [sending, observation]]
    const { paced, breaker } = this.#store.state()
    const isCalm = observation.kind === 'accepted' && !paced?.closed && !isTripped(breaker)
    // A shared state is told of what changes nothing later, with the next permit.
    const isLater = isCalm && this.#store.shared !== undefined
    this.#reportAt = Math.min(this.#reportAt, this.#store.now() + (isLater ? BATCH_MS : 0))
  }
}
