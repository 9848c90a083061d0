// The limiter of an organization. Calls wait in a queue (Bottleneck, where it is fast enough); a timer releases each when the
// pacing state allows it.
import Bottleneck from 'bottleneck'
import type { Clock } from '../domain/clock.ts'
import { isOpen } from './breaker.ts'
import type { Observation } from './observation.ts'
import { paceOf } from './policy.ts'
import { type Member, processesOf, type Result, SEEN_EVERY_MS, turnOf, visit } from './processes.ts'
import { createPaceState, type PaceChange, type PaceState, type Rules, type Sending } from './state.ts'

/** Permission to send one call now. The holder settles it exactly once. */
export interface Permit {
  readonly grantedAt: number
  settle(observation: Observation): void
}

export interface Limiter {
  /**
   * Calls `start` with a permit, synchronously if one is free, or with undefined once the limiter is closed. Returns a function
   * that cancels the request.
   */
  request(start: (permit: Permit | undefined) => void): () => void
  /** `left`: how many calls the caller has still to send, those in flight left out. Returns the function that forgets it. */
  expect(left: () => number): () => void
  /** Calls `listener` on each change of pace or pause. Returns the function that unsubscribes. */
  onChange(listener: (change: PaceChange) => void): () => void
  state(): Omit<PaceChange, 'cause'> & { readonly inFlight: number }
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
  /** False if the state need not be written back. */
  readonly isChanged: boolean
}

/** Steps the state; `now` is on the state's clock. */
export type Act<T extends Stepped> = (state: PaceState, now: number) => T

export interface Store {
  /** The state's clock, milliseconds. */
  now(): number
  /** The latest known state. */
  state(): PaceState
  /**
   * Applies `act` to the latest state, one step at a time, and again after a conflict with another process. Calls `done` with its
   * value: synchronously for a state in memory, never once the store is lost.
   */
  step<T extends Stepped>(act: Act<T>, done: (value: T) => void): void
  /** Undefined for a state in memory. `aheadMs`: how far ahead permits are taken. */
  readonly shared: { readonly aheadMs: () => number; readonly lost: AbortSignal } | undefined
}

/** Bottleneck starts about 200 dependent jobs a second; above this rate it would be the limit. */
const BOTTLENECK_UP_TO_PER_SECOND = 100

/** A limiter with its state in memory. `random`: uniform in [0, 1). */
export function createLimiter(
  rules: Rules,
  clock: Clock,
  random: () => number,
  queue: Queue = queueFor(rules),
): Limiter {
  const state = createPaceState(rules)
  const store: Store = {
    now: () => clock.now(),
    state: () => state,
    step: (act, done) => done(act(state, clock.now())),
    shared: undefined,
  }
  return createGate(store, queue, { id: 'this', rules, clock, random })
}

function queueFor({ rate, concurrency }: Rules): Queue {
  const isFast = rate.kind === 'known' && rate.perSecond > BOTTLENECK_UP_TO_PER_SECOND
  return isFast || rate.kind === 'unlimited' ? createDirectQueue() : createBottleneckQueue(concurrency)
}

interface Waiting {
  readonly start: (permit: Permit | undefined) => void
  isOver: boolean
  /** Ends its job in the queue, once that has started. */
  finish: (() => void) | undefined
}

/** Results that change nothing are reported with the next permit, or after this long. */
const REPORT_MS = 30
/** Poll interval while an answer is awaited that another process may get. */
const LOOK_MS = 25

export function createGate(store: Store, queue: Queue, options: Member & { readonly clock: Clock }): Limiter {
  const { id, clock } = options
  const { shared } = store
  const listeners = new Set<(change: PaceChange) => void>()
  const waiting = new Set<Waiting>()
  const expected = new Set<() => number>()
  let isExpecting = false
  let results: Result[] = []
  let reportAt = Infinity
  let inFlight = 0
  let isTokenOut = false
  /** The call at the head of the queue; it waits for its permit. */
  let head: Waiting | undefined
  /** Permits without a call yet: at a high pace several are taken at once. */
  const spare: Sending[] = []
  let isStepping = false
  let visitedAt = -Infinity
  /** When the next permit may be taken, as of the latest visit; Infinity until an answer arrives. */
  let takeAt = -Infinity
  /** When the head may be sent. */
  let awaitedAt: number | undefined
  let cancelTimer: (() => void) | undefined
  let isClosed = false
  let reportedNumber = 0

  const aheadMs = (): number => shared?.aheadMs() ?? 0

  /** Sends the head when it is due, and releases the next call from the queue early enough. */
  const pump = (): void => {
    cancelTimer?.()
    cancelTimer = undefined
    if (isClosed || isStepping) return
    const now = store.now()
    while ((spare[0]?.at ?? now) < now - REPORT_MS) settle(spare.shift() as Sending, { kind: 'nothing' })
    const sending = head && spare.shift()
    if (head !== undefined && sending !== undefined) {
      serve(head, sending)
      pump()
      return
    }
    // Nothing to report: the state knows that this process waits.
    if (results.length === 0 && spare.length === 0 && waiting.size > 0) reportAt = Infinity
    // A process that shares the state must show that it is alive.
    const visitIn = Math.min(reportAt, shared === undefined ? Infinity : visitedAt + SEEN_EVERY_MS) - now
    const isPolling = takeAt === Infinity && shared !== undefined
    const turnIn = spare.length > 0 ? 0 : (isPolling ? visitedAt + LOOK_MS : takeAt - aheadMs()) - now
    const actIn = head === undefined ? turnIn - queue.leadMs : turnIn
    const isIdle = waiting.size === 0 || isTokenOut
    if (visitIn <= 0) step()
    else if (isIdle || actIn > 0) {
      const ms = isIdle ? visitIn : Math.min(visitIn, actIn)
      if (!isIdle) awaitedAt = takeAt
      if (ms < Infinity) cancelTimer = clock.after(ms, pump)
    } else if (head === undefined) {
      isTokenOut = true
      queue.release()
    } else step()
  }

  const step = (): void => {
    isStepping = true
    const handed = results
    results = []
    reportAt = Infinity
    const act = (state: PaceState, now: number) => {
      const left = isExpecting ? [...expected].reduce((sum, one) => sum + one(), 0) : null
      const isWaiting = head !== undefined
      return visit(state, now, options, {
        results: handed,
        inFlight,
        isWaiting,
        left,
        aheadMs: aheadMs(),
        awaitedAt,
      })
    }
    store.step(act, ({ sendings }) => {
      isStepping = false
      visitedAt = store.now()
      const state = store.state()
      takeAt = turnOf(state, visitedAt, state.processes[id])
      inFlight += sendings.length
      spare.push(...sendings)
      if (sendings.length > 0 && shared !== undefined) reportAt = Math.min(reportAt, visitedAt + REPORT_MS)
      const { number, cause } = state.reported
      if (number !== reportedNumber && listeners.size > 0) {
        reportedNumber = number
        for (const listener of listeners) listener({ ...describe(), cause })
      }
      pump()
    })
  }

  /** Starts the head at the time of its permit. */
  const serve = (call: Waiting, sending: Sending): void => {
    head = awaitedAt = undefined
    waiting.delete(call)
    const start = (): void => {
      const isGone = call.isOver || isClosed
      if (isGone) settle(sending, { kind: 'nothing' })
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
    const wait = shared === undefined ? 0 : sending.at - store.now()
    if (wait <= 0) start()
    else clock.after(wait, start)
  }

  const settle = (sending: Sending, observation: Observation): void => {
    inFlight -= 1
    results.push([sending, observation])
    const { paced, breaker } = store.state()
    const isCalm = observation.kind === 'accepted' && paced?.closed === null
    const now = store.now()
    reportAt = Math.min(reportAt, shared === undefined || !isCalm || isOpen(breaker) ? now : now + REPORT_MS)
  }

  const describe = (): Omit<PaceChange, 'cause'> => {
    const state = store.state()
    const { pace, policy, closure } = paceOf(state)
    const ahead = store.now() - clock.now()
    return {
      pace,
      policy,
      closure: closure && { from: closure.from - ahead, until: closure.until - ahead },
      processes: shared && processesOf(state),
    }
  }

  pump()
  return {
    request: (start) => {
      if (isClosed) {
        start(undefined)
        return () => undefined
      }
      const call: Waiting = { start, isOver: false, finish: undefined }
      waiting.add(call)
      queue.submit((finish) => {
        isTokenOut = false
        call.finish = finish
        if (call.isOver || isClosed) finish()
        else head = call
        pump()
      })
      pump()
      return () => {
        if (call.isOver) return
        call.isOver = true
        waiting.delete(call)
        awaitedAt = undefined
        if (head === call) head = undefined
        call.finish?.()
        pump()
      }
    },
    expect: (left) => {
      isExpecting = true
      expected.add(left)
      return () => expected.delete(left)
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
      for (const { start } of waiting) start(undefined)
      waiting.clear()
      queue.close()
    },
  }
}

/** Holds calls until they are released. A job runs until it calls `finish`. */
export interface Queue {
  /** About how long a released job takes to start, milliseconds. */
  readonly leadMs: number
  submit(job: (finish: () => void) => void): void
  /** Lets one queued job start. */
  release(): void
  close(): void
}

/** Bottleneck passes several 1 ms timers before it starts a job: 4.6 ms measured. */
const BOTTLENECK_LEAD_MS = 8

/**
 * Bottleneck with an empty reservoir: a job starts when `release` adds a token. Refresh and `failed` retries are not used. In
 * Bottleneck 2.19.5 `updateSettings` stops the refresh for good, and retries bypass the reservoir. `minTime` would time jobs by the
 * wall clock, even if it is 0: a clock that is set back by an hour would hold every job for an hour. From minus infinity no job
 * waits for the one before.
 */
function createBottleneckQueue(concurrency: number): Queue {
  const bottleneck = new Bottleneck({ reservoir: 0, maxConcurrent: concurrency, minTime: -Infinity })
  return {
    leadMs: BOTTLENECK_LEAD_MS,
    submit: (job) => {
      // Rejects only for jobs that wait when the queue closes; the limiter has answered them by then.
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

/** A FIFO queue without delay. */
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
