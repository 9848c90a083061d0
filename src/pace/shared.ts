// The limiter of a process that shares one pacing state with others. A step of that state takes a round trip
// to the store: permits are reserved that far ahead, and results are reported together.
import type { Clock } from '../domain/clock.ts'
import { BATCH_MS, GONE_MS } from './constants.ts'
import { direct, Gate, type LimiterState } from './limiter.ts'
import type { Observation, SentCall } from './observation.ts'
import { paceOf } from './policy.ts'
import { type Member, processesOf, type SharedState, turnOf, visit, type Visit } from './processes.ts'
import { isTripped } from './breaker.ts'
import { slotMs } from './state.ts'

export interface Stepped {
  /** Is the same object if it need not be written back. */
  readonly state: SharedState
}

export type Act<T extends Stepped> = (state: SharedState, now: number) => T

export interface PaceStore {
  now(): number
  state(): SharedState
  /**
   * Applies `act` to the latest state, one step at a time, and again after a conflict with another process.
   * Calls `onStepped` with its value, never once the store is lost.
   */
  step<T extends Stepped>(act: Act<T>, onStepped: (value: T) => void): void
  /** Aborts when the state is lost. */
  readonly lost: AbortSignal
}

export class SharedLimiter extends Gate {
  readonly #store: PaceStore
  readonly #member: Member
  readonly #permits: SentCall[] = []
  #results: Visit['results'] = []
  #reportAt = Infinity
  #isStepping = false
  /** Is how long a step takes: permits are reserved that far ahead. */
  #stepMs = 0
  #visitedAt = -Infinity
  /** Is when the next permit may be taken, as of the latest visit; Infinity until an answer arrives. */
  #takeAt = -Infinity

  constructor(store: PaceStore, member: Member, clock: Clock) {
    super(clock, direct)
    this.#store = store
    this.#member = member
    this.pump()
  }

  get lost(): AbortSignal {
    return this.#store.lost
  }

  state(): LimiterState & { readonly inFlight: number } {
    const [state, now] = [this.#store.state(), this.#store.now()]
    const { pause, ...standing } = paceOf(state.pace)
    const ahead = now - this.clock.now()
    return {
      ...standing,
      pause: pause && { from: pause.from - ahead, until: pause.until - ahead },
      nextAt: turnOf(state, now, this.#member.id, this.#stepMs) - ahead,
      processes: processesOf(state),
      inFlight: this.inFlight,
    }
  }

  protected advance(): number {
    const now = this.#store.now()
    const { pace } = this.#store.state()
    const { pause } = paceOf(pace)
    // Up to a call's time late, as on a busy machine. Later it would meet the permits of others.
    const lateMs = Math.max(BATCH_MS, slotMs(pace))
    const isVoid = ({ at }: SentCall): boolean => at < now - lateMs || at < (pause?.until ?? -Infinity)
    this.#giveBack(this.#permits.filter(isVoid))
    while (this.isWaiting && this.#permits[0] !== undefined && this.#permits[0].at <= now)
      this.serve(this.#permits.shift() as SentCall)
    if (!this.#isStepping && this.#nextStepAt() <= now) this.#step()
    const permitAt = (this.#permits[0]?.at ?? Infinity) + (this.isWaiting ? 0 : lateMs + 1)
    return Math.min(this.#isStepping ? Infinity : this.#nextStepAt(), permitAt) - now
  }

  protected settle(call: SentCall, observation: Observation): void {
    this.#report(call, observation)
    // What was reserved before a refusal would be refused, too.
    if (observation.kind === 'rateLimited') this.#giveBack(this.#permits.slice())
  }

  #giveBack(permits: readonly SentCall[]): void {
    for (const permit of permits) {
      this.#permits.splice(this.#permits.indexOf(permit), 1)
      this.#report(permit, { kind: 'nothing' })
    }
  }

  #report(call: SentCall, observation: Observation): void {
    this.#results = [...this.#results, [call, observation]]
    const { closed, breaker } = this.#store.state().pace
    // What changes nothing is told later, with the next permit.
    const isCalm = observation.kind === 'accepted' && closed === null && !isTripped(breaker)
    const waitMs = isCalm ? Math.max(BATCH_MS, 2 * this.#stepMs) : 0
    this.#reportAt = Math.min(this.#reportAt, this.#store.now() + waitMs)
  }

  #nextStepAt(): number {
    // The state knows that this process waits; without a call it must learn that it does not.
    const isToReport = this.#results.length > 0 || this.#permits.length > 0 || !this.isWaiting
    // An answer is awaited that another process may get.
    const takeAt = this.#takeAt === Infinity ? this.#visitedAt + BATCH_MS : this.#takeAt - 1.5 * this.#stepMs
    return Math.min(
      isToReport ? this.#reportAt : Infinity,
      this.isWaiting ? takeAt : Infinity,
      this.#visitedAt + GONE_MS / 3,
    )
  }

  #step(): void {
    const [results, isWaiting, left, stepMs] = [this.#results, this.isWaiting, this.left, this.#stepMs]
    const inFlight = this.inFlight + this.#permits.length
    let triedAt = 0
    this.#isStepping = true
    this.#results = []
    this.#reportAt = Infinity
    this.#store.step(
      (state, now) => {
        triedAt = this.clock.now()
        // A step that meets a conflict comes again, perhaps after this process has left.
        if (this.isClosed) return { state, permits: [] }
        return visit(state, now, this.#member, { results, inFlight, isWaiting, left, stepMs })
      },
      ({ permits }) => {
        this.#isStepping = false
        this.#visitedAt = this.#store.now()
        const state = this.#store.state()
        // A single late answer is no distance: permits would be reserved as far ahead as a stall was long.
        const tookMs = Math.min(this.clock.now() - triedAt, 8 * Math.max(BATCH_MS, stepMs))
        this.#stepMs = Math.max(1, tookMs, 0.8 * stepMs)
        this.#takeAt = turnOf(state, this.#visitedAt, this.#member.id, this.#stepMs)
        this.#permits.push(...permits)
        this.announce(state.pace.reported)
        this.pump()
      },
    )
  }
}
