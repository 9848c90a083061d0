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

// ---- Where the state lives

/** Says, in a sentence for users, that the shared state cannot be used. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

export interface Stepped {
  /** Is the same object if it need not be written back. */
  readonly state: PaceState
}

export type Act<T extends Stepped> = (state: PaceState, now: number) => T

export interface PaceStore {
  now(): number
  state(): PaceState
  /**
   * Applies `act` to the latest state, one step at a time, and again after a conflict with another process.
   * Calls `done` with its value: synchronously for a state in memory, never once the store is lost.
   */
  step<T extends Stepped>(act: Act<T>, done: (value: T) => void): void
  /** Aborts when other processes' state is lost; undefined for a state in memory. */
  readonly lost: AbortSignal | undefined
}

/** Makes a limiter with its state in memory. `random` is uniform in [0, 1). */
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
    lost: undefined,
  }
  return new Gate(store, queue, { id: 'this', rules, random }, clock)
}

export const createSharedLimiter = (store: PaceStore, member: Member, clock: Clock): Limiter =>
  new Gate(store, direct, member, clock)

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

// ---- The gate

interface Call {
  readonly start: (permit: Permit | undefined) => void
  isOver: boolean
  leave: () => void
}

class Gate implements Limiter {
  readonly #store: PaceStore
  readonly #queue: Queue
  readonly #member: Member
  readonly #clock: Clock
  readonly #listeners = new Set<(change: PaceChange) => void>()
  readonly #expected = new Set<() => number>()
  #isExpecting = false
  /** Holds requests without a permit, and which of them the queue has let in. */
  readonly #requests = new Set<Call>()
  #waiting: Call[] = []
  readonly #permits: SentCall[] = []
  #inFlight = 0
  #results: Visit['results'] = []
  #reportAt = Infinity
  #isStepping = false
  /** Is how long a step takes: permits of a shared state are taken that far ahead. 0 in memory. */
  #stepMs = 0
  #visitedAt = -Infinity
  /** Is when the next permit may be taken, as of the latest visit; Infinity until an answer arrives. */
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
    return this.#store.lost
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
      nextAt: turnOf(state, this.#store.now(), this.#member.id, this.#stepMs) - ahead,
      processes: this.#store.lost && processesOf(state),
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

  #pump(): void {
    this.#cancelTimer()
    if (this.#isClosed) return
    const now = this.#store.now()
    const { pause, pace } = paceOf(this.#store.state())
    // Up to a call's time late, as on a busy machine. Later it would meet the permits of others.
    const lateMs = Math.max(BATCH_MS, 1000 / (pace ?? Infinity))
    const isVoid = ({ at }: SentCall): boolean => at < now - lateMs || at < (pause?.until ?? -Infinity)
    for (const permit of this.#permits.filter(isVoid)) this.#return(permit)
    while (this.#waiting.length > 0 && (this.#permits[0]?.at ?? Infinity) <= now)
      this.#serve(this.#waiting.shift(), this.#permits.shift())
    if (!this.#isStepping && this.#nextStepAt() <= now) this.#step()
    const permitAt = (this.#permits[0]?.at ?? Infinity) + (this.#waiting.length > 0 ? 0 : lateMs + 1)
    const wakeAt = Math.min(this.#isStepping ? Infinity : this.#nextStepAt(), permitAt)
    this.#cancelTimer()
    if (wakeAt < Infinity && !this.#isClosed)
      this.#cancelTimer = this.#clock.after(wakeAt - now, () => this.#pump())
  }

  #nextStepAt(): number {
    const isWaiting = this.#waiting.length > 0
    // The state knows that this process waits; without a call it must learn that it does not.
    const isToReport = this.#results.length > 0 || this.#permits.length > 0 || !isWaiting
    const reportAt = isToReport ? this.#reportAt : Infinity
    if (this.#store.lost === undefined) return Math.min(reportAt, isWaiting ? this.#takeAt : Infinity)
    // An answer is awaited that another process may get.
    const takeAt = this.#takeAt === Infinity ? this.#visitedAt + BATCH_MS : this.#takeAt - 1.5 * this.#stepMs
    return Math.min(reportAt, isWaiting ? takeAt : Infinity, this.#visitedAt + GONE_MS / 3)
  }

  #step(): void {
    const [results, isWaiting] = [this.#results, this.#waiting.length > 0]
    const left = this.#isExpecting ? [...this.#expected].reduce((sum, count) => sum + count(), 0) : null
    const [inFlight, stepMs] = [this.#inFlight, this.#stepMs]
    let triedAt = 0
    this.#isStepping = true
    this.#results = []
    this.#reportAt = Infinity
    this.#store.step(
      (state, now) => {
        triedAt = this.#clock.now()
        return visit(state, now, this.#member, { results, inFlight, isWaiting, left, stepMs })
      },
      ({ permits }) => {
        this.#isStepping = false
        this.#visitedAt = this.#store.now()
        const state = this.#store.state()
        if (this.#store.lost !== undefined)
          this.#stepMs = Math.max(1, this.#clock.now() - triedAt, 0.8 * stepMs)
        this.#takeAt = turnOf(state, this.#visitedAt, this.#member.id, this.#stepMs)
        this.#inFlight += permits.length
        this.#permits.push(...permits)
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

  #serve(call: Call | undefined, sending: SentCall | undefined): void {
    if (call === undefined || sending === undefined) return
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

  #end(call: Call): void {
    call.isOver = true
    this.#requests.delete(call)
    this.#waiting = this.#waiting.filter((waiting) => waiting !== call)
  }

  #return(permit: SentCall): void {
    this.#permits.splice(this.#permits.indexOf(permit), 1)
    this.#settle(permit, { kind: 'nothing' })
  }

  #settle(sending: SentCall, observation: Observation): void {
    this.#inFlight -= 1
    this.#results = [...this.#results, [sending, observation]]
    const { paced, breaker } = this.#store.state()
    const isAccepted = observation.kind === 'accepted'
    const isCalm = isAccepted && !paced?.closed && !isTripped(breaker)
    // A shared state is told of what changes nothing later, with the next permit.
    const isLater = isCalm && this.#store.lost !== undefined
    this.#reportAt = Math.min(
      this.#reportAt,
      this.#store.now() + (isLater ? Math.max(BATCH_MS, 2 * this.#stepMs) : 0),
    )
    // What was reserved before a refusal would be refused, too.
    if (observation.kind === 'rateLimited') for (const permit of this.#permits.slice()) this.#return(permit)
  }
}
