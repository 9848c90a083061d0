// The limiter of an organization: its calls wait in a queue, in Bottleneck where it is fast enough; a timer lets each go when
// the state says so.
import Bottleneck from 'bottleneck'
import type { Clock } from '../domain/clock.ts'
import { isOpen } from './breaker.ts'
import type { Observation } from './observation.ts'
import { paceOf } from './policy.ts'
import { processesOf, type Result, SEEN_EVERY_MS, type Turn, turnOf, visit } from './processes.ts'
import {
  AUTO_CONCURRENCY,
  createPaceState,
  type PaceChange,
  type PaceState,
  type Rules,
  type Sending,
} from './state.ts'
import type { Rate } from './rate.ts'

/** One call may be sent, now. Must be settled, once, whatever becomes of the call. */
export interface Permit {
  readonly grantedAt: number
  settle(observation: Observation): void
}

export interface Limiter {
  /**
   * `start` gets the permit, at once where it is there, or undefined once the limiter is closed. Returns the function that
   * gives it up.
   */
  request(start: (permit: Permit | undefined) => void): () => void
  /** Every change of pace or pause; returns the function that ends it. */
  onChange(listener: (change: PaceChange) => void): () => void
  state(): Omit<PaceChange, 'cause'> & { readonly inFlight: number }
  /** Aborted where the run is to end because the limit is shared no more; the reason is a sentence. */
  readonly lost?: AbortSignal | undefined
  /** Drops what waits and leaves no timer. */
  close(): void
}

export interface LimiterOptions {
  readonly rate: Rate
  readonly concurrency: number | 'auto'
  /** Part of the limit to use at most, above 0 and up to 1. */
  readonly share?: number | undefined
}

export const rulesOf = ({ rate, concurrency, share = 1 }: LimiterOptions): Rules => ({
  rate,
  concurrency: concurrency === 'auto' ? AUTO_CONCURRENCY : concurrency,
  share,
})

/** Calls a second at which a run with these options begins, null for no limit. */
export const firstPace = (options: LimiterOptions): number | null =>
  paceOf(createPaceState(rulesOf(options))).pace

// ---- Where the state lives

export interface Store {
  /** Milliseconds of the clock that the state goes by. */
  now(): number
  /** As it was read last. */
  state(): PaceState
  /**
   * Steps the latest state, one step at a time; `act` is done again where another process was first. `done` gets what it
   * returned, at once where the state lives here; never where the store is lost.
   */
  step<T extends { readonly isChanged: boolean }>(
    act: (state: PaceState, now: number) => T,
    done: (value: T) => void,
  ): void
  /** Others step it, too: permits are taken so many milliseconds ahead. Undefined where it is this process's own. */
  readonly shared: { readonly aheadMs: () => number; readonly lost: AbortSignal } | undefined
}

export function createMemoryStore(state: PaceState, clock: Pick<Clock, 'now'>): Store {
  return {
    now: () => clock.now(),
    state: () => state,
    step: (act, done) => done(act(state, clock.now())),
    shared: undefined,
  }
}

// ---- The gate

/** Above this Bottleneck itself would be the limit: it starts about 200 dependent jobs a second. */
const BOTTLENECK_UP_TO_PER_SECOND = 100

/** A limiter of this process alone. `random`: uniform in [0, 1). */
export function createLimiter(
  options: LimiterOptions,
  clock: Clock,
  random: () => number,
  queue: Queue = queueFor(options),
): Limiter {
  const rules = rulesOf(options)
  const store = createMemoryStore(createPaceState(rules), clock)
  return createGate(store, queue, { id: 'this', rules, clock, random })
}

function queueFor(options: LimiterOptions): Queue {
  const { rate, concurrency } = rulesOf(options)
  const isFast = rate.kind === 'known' && rate.perSecond > BOTTLENECK_UP_TO_PER_SECOND
  return isFast || rate.kind === 'unlimited' ? createDirectQueue() : createBottleneckQueue(concurrency)
}

export interface GateOptions {
  /** Of this process among those of the store. */
  readonly id: string
  readonly rules: Rules
  readonly clock: Clock
  readonly random: () => number
}

interface Waiting {
  readonly start: (permit: Permit | undefined) => void
  isOver: boolean
  /** Ends its job, once the queue has started that. */
  finish: (() => void) | undefined
}

/** Answers that change nothing are reported with the next permit, or after so long. */
const REPORT_MS = 30
/** While an answer is waited for, which another process may get. */
const LOOK_MS = 25

export function createGate(store: Store, queue: Queue, options: GateOptions): Limiter {
  const { id, rules, clock, random } = options
  const { shared } = store
  const listeners = new Set<(change: PaceChange) => void>()
  const waiting: Waiting[] = []
  let results: Result[] = []
  let reportAt = Infinity
  let inFlight = 0
  let isTokenOut = false
  /** The call that has come through the queue and waits for its permit. */
  let atLine: Waiting | undefined
  /** Permits whose calls have not come yet: at a high pace several are taken at once. */
  const spare: Sending[] = []
  let isStepping = false
  let visitedAt = -Infinity
  /** By the latest visit: the state may have moved on. */
  let turn: Turn = { takeAt: -Infinity, lookAt: Infinity }
  /** When the call at the line may go. */
  let awaitedAt: number | undefined
  let cancelTimer: (() => void) | undefined
  let isClosed = false
  let toldNumber = 0

  const wakeIn = (ms: number): void => {
    if (ms < Infinity) cancelTimer = clock.after(ms, pump)
  }

  /** Lets the call at the line go when it is due; brings the next one there a queue's lead before. */
  const pump = (): void => {
    cancelTimer?.()
    cancelTimer = undefined
    if (isClosed || isStepping) return
    const now = store.now()
    while ((spare[0]?.at ?? now) < now - REPORT_MS) giveBack(spare.shift())
    // Who shares the limit shows that it lives.
    const seenAt = shared === undefined ? Infinity : visitedAt + SEEN_EVERY_MS
    // Nothing is to be reported: that it waits is known.
    if (results.length === 0 && spare.length === 0 && waiting.length > 0) reportAt = Infinity
    if (Math.min(reportAt, seenAt) <= now) {
      step()
      return
    }
    const soonest = Math.min(reportAt, seenAt) - now
    if (waiting.length === 0 || (atLine === undefined && isTokenOut)) {
      wakeIn(soonest)
      return
    }
    const left = spare.length > 0 ? 0 : Math.min(turn.takeAt - (shared?.aheadMs() ?? 0), turn.lookAt) - now
    if (atLine !== undefined && spare.length > 0) serve()
    else if (atLine !== undefined && left <= 0) step()
    else if (atLine === undefined && left <= queue.leadMs) {
      isTokenOut = true
      queue.release()
    } else {
      awaitedAt = turn.takeAt
      wakeIn(Math.min(soonest, atLine === undefined ? left - queue.leadMs : left))
    }
  }

  const step = (): void => {
    isStepping = true
    const handed = results
    results = []
    reportAt = Infinity
    const act = (state: PaceState, now: number) =>
      visit(state, now, {
        id,
        rules,
        results: handed,
        inFlight,
        waiting: atLine === undefined ? 0 : 1,
        aheadMs: shared?.aheadMs() ?? 0,
        awaitedAt,
        random,
      })
    store.step(act, ({ sendings }) => {
      isStepping = false
      visitedAt = store.now()
      turn = turnOf(store.state(), visitedAt, id)
      if (turn.takeAt === Infinity && shared !== undefined) turn = { ...turn, lookAt: visitedAt + LOOK_MS }
      inFlight += sendings.length
      spare.push(...sendings)
      if (spare.length > 0) serve()
      if (shared === undefined) giveBack(spare.shift())
      if (sendings.length > 0 && shared !== undefined) reportAt = Math.min(reportAt, visitedAt + REPORT_MS)
      announce()
      pump()
    })
  }

  /** The call at the line gets the first permit that is there, and goes at its time. */
  const serve = (): void => {
    const call = atLine
    const sending = call && spare.shift()
    if (call === undefined || sending === undefined) return
    atLine = awaitedAt = undefined
    unqueue(call)
    const start = (): void => {
      const isGone = call.isOver || isClosed
      if (isGone) giveBack(sending)
      if (call.isOver) return
      call.isOver = true
      call.start(isGone ? undefined : { grantedAt: clock.now(), settle: settleOnce })
    }
    let isSettled = false
    const settleOnce: Permit['settle'] = (observation) => {
      if (isSettled) return
      isSettled = true
      settle(sending, observation)
      call.finish?.()
      pump()
    }
    const wait = sending.at - store.now()
    if (wait <= 0 || shared === undefined) start()
    else clock.after(wait, start)
  }

  const giveBack = (sending: Sending | undefined): void => {
    if (sending !== undefined) settle(sending, { kind: 'nothing' })
  }

  const settle = (sending: Sending, observation: Observation): void => {
    inFlight -= 1
    results.push({ sending, observation })
    const { paced, breaker } = store.state()
    const isCalm = observation.kind === 'accepted' && paced?.closed === null
    const now = store.now()
    reportAt = Math.min(reportAt, shared === undefined || !isCalm || isOpen(breaker) ? now : now + REPORT_MS)
  }

  const unqueue = (call: Waiting): void => {
    const place = waiting.indexOf(call)
    if (place !== -1) waiting.splice(place, 1)
    if (waiting.length === 0) awaitedAt = undefined
  }

  const describe = (): Omit<PaceChange, 'cause'> => {
    const state = store.state()
    const { pace, closure } = paceOf(state)
    const ahead = store.now() - clock.now()
    return {
      pace,
      closure: closure && { from: closure.from - ahead, until: closure.until - ahead },
      processes: shared && processesOf(state),
    }
  }

  const announce = (): void => {
    const state = store.state()
    const { number, cause } = state.told
    if (number === toldNumber || listeners.size === 0) return
    toldNumber = number
    for (const listener of listeners) listener({ ...describe(), cause })
  }

  pump()
  return {
    request: (start) => {
      if (isClosed) {
        start(undefined)
        return () => undefined
      }
      const call: Waiting = { start, isOver: false, finish: undefined }
      waiting.push(call)
      queue.submit((finish) => {
        isTokenOut = false
        call.finish = finish
        if (call.isOver || isClosed) finish()
        else atLine = call
        pump()
      })
      pump()
      return () => {
        if (call.isOver) return
        call.isOver = true
        unqueue(call)
        if (atLine === call) atLine = awaitedAt = undefined
        call.finish?.()
        pump()
      }
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    state: () => ({ ...describe(), inFlight }),
    lost: shared?.lost,
    close: () => {
      isClosed = true
      cancelTimer?.()
      cancelTimer = undefined
      for (const { start } of waiting.splice(0)) start(undefined)
      queue.close()
    },
  }
}

/** Where calls wait until one is released; its job is under way until `finish` is called. */
export interface Queue {
  /** Milliseconds that a released job takes to start, about. */
  readonly leadMs: number
  submit(job: (finish: () => void) => void): void
  /** Lets one queued job start. */
  release(): void
  close(): void
}

/** Bottleneck waits for several timers of a millisecond before it starts a job (load notes: 4.6 ms a job). */
const BOTTLENECK_LEAD_MS = 8

/**
 * Bottleneck with an empty reservoir: no job starts until `release` adds one token, so pausing is giving none.
 * `minTime`, refresh and `failed` retries are not used: see the pitfalls in the design notes (stale timers,
 * dead refresh after updateSettings, retries that bypass the reservoir). Adds about 5 ms a job and carries at
 * most about 200 dependent jobs a second.
 */
function createBottleneckQueue(concurrency: number): Queue {
  const bottleneck = new Bottleneck({ reservoir: 0, maxConcurrent: concurrency })
  return {
    leadMs: BOTTLENECK_LEAD_MS,
    submit: (job) => {
      // Rejects only when the queue is closed with the job still waiting; the gate has settled it by then.
      bottleneck.schedule(async () => new Promise<void>(job)).catch(() => undefined)
    },
    release: () => {
      bottleneck.incrementReservoir(1).catch(() => undefined)
    },
    close: () => {
      bottleneck.stop({ dropWaitingJobs: true }).catch(() => undefined)
    },
  }
}

/** First in, first out, without delay. */
export function createDirectQueue(): Queue {
  const jobs: ((finish: () => void) => void)[] = []
  return {
    leadMs: 0,
    submit: (job) => {
      jobs.push(job)
    },
    release: () => jobs.shift()?.(() => undefined),
    close: () => {
      jobs.length = 0
    },
  }
}
