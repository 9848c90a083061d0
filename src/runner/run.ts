// A run: requests a permit, sends the next turn, and records the result, until no turn is left.
import TinyQueue from 'tinyqueue'
import type { AttemptReport } from '../domain/attempt.ts'
import type { Clock } from '../domain/clock.ts'
import type { Stop } from '../domain/stop.ts'
import type { Limiter, Permit } from '../pace/limiter.ts'
import { type Observation, observe } from '../pace/observation.ts'
import { createPatience, interruption, stopOfError, toMicroseconds } from './stops.ts'
import { type ThreadState, turnsLeft } from './thread-state.ts'
import { type AttemptPorts, sendTurn, settleTurn, type TurnRules } from './turn.ts'

export interface RunnerPorts extends AttemptPorts {
  readonly limiter: Limiter
}

export interface RunnerOptions extends TurnRules {
  readonly runId: string
  /** Maximum attempts over all sessions; undefined: no limit. */
  readonly maxCalls: number | undefined
  readonly giveUpAfterMs: number
  /** Attempts of earlier sessions. */
  readonly attemptsBefore: number
}

/** Sends every turn that has no outcome yet, until `signal` aborts. Resolves when no call is in flight. */
export async function runThreads(
  threads: readonly ThreadState[],
  ports: RunnerPorts,
  options: RunnerOptions,
  signal: AbortSignal,
): Promise<Stop> {
  const { limiter, clock } = ports
  const ready = new ReadyQueue(threads)
  const patience = createPatience(options.giveUpAfterMs)
  const halt = new AbortController()
  const stopped = AbortSignal.any([signal, halt.signal])
  let attempts = options.attemptsBefore
  let left = threads.reduce((sum, thread) => sum + turnsLeft(thread), 0)
  let stop: Stop | undefined
  let cancelPatienceTimer: (() => void) | undefined
  let inFlight = 0
  let resolveFinished: () => void = () => undefined
  const finished = new Promise<void>((resolve) => {
    resolveFinished = resolve
  })

  const stopFor = (reason: Stop): void => {
    stop ??= reason
    halt.abort()
  }

  /** A timer checks patience as well, since it may end during a backoff. A call in flight then may still be answered. */
  const checkPatience = (isTimer = false): void => {
    cancelPatienceTimer?.()
    cancelPatienceTimer = undefined
    if (stopped.aborted || (isTimer && inFlight > 0)) return
    const now = clock.now()
    const gaveUp = patience.gaveUp(now)
    if (gaveUp !== undefined) stopFor(gaveUp)
    const remaining = gaveUp === undefined ? patience.remainingMs(now) : undefined
    if (remaining !== undefined)
      cancelPatienceTimer = clock.after(Math.max(1, remaining), () => checkPatience(true))
  }

  /** Returns the permit of an attempt that has ended or was never sent. */
  const finish = (permit: Permit, observation: Observation): void => {
    inFlight -= 1
    permit.settle(observation)
    checkPatience()
    pump()
  }

  const settle = (
    thread: ThreadState,
    permit: Permit,
    attempt: number,
    waitMs: number,
    report: AttemptReport,
  ): void => {
    let observation: Observation = NO_OBSERVATION
    try {
      const { sentAt, endedAt, result } = report
      const at = clock.wall()
      observation = observe(result, at, sentAt - permit.grantedAt)
      const serviceMs = toMicroseconds(endedAt - sentAt)
      const record = { kind: 'result', at, attempt, waitMs, serviceMs, result } as const
      const before = turnsLeft(thread)
      const decision = settleTurn(thread, ports, options, record)
      left += turnsLeft(thread) - before
      if (decision.kind === 'keyRefused') stopFor(decision)
      const now = clock.now()
      if (decision.kind !== 'abandoned' && turnsLeft(thread) > 0) {
        thread.readyAt = now
        ready.push(thread)
      }
      patience.note(observation, result, permit.grantedAt, now)
    } catch (error) {
      stopFor(stopOfError(error))
    }
    finish(permit, observation)
  }

  const attemptTurn = (thread: ThreadState, permit: Permit, waitMs: number): void => {
    const attempt = ++attempts
    inFlight += 1
    const failed = (error: unknown): void => {
      stopFor(stopOfError(error))
      finish(permit, NO_OBSERVATION)
    }
    try {
      sendTurn(
        thread,
        ports,
        { attempt, runId: options.runId },
        { ended: (report) => settle(thread, permit, attempt, waitMs, report), failed },
      )
    } catch (error) {
      failed(error)
    }
  }

  /** Whether there is a turn to send. Ends the run if the budget is used up. */
  const wantsPermit = (): boolean => {
    if (stopped.aborted || ready.size === 0) return false
    if (options.maxCalls === undefined || attempts < options.maxCalls) return true
    const last = patience.trouble()
    stopFor({ kind: 'budget', maxCalls: options.maxCalls, ...(last !== undefined && { last }) })
    return false
  }
  const permits = createPermits(limiter, clock, wantsPermit, (permit, requestedAt) => {
    if (permit === undefined) {
      halt.abort()
      return
    }
    // Chosen after the wait, since a refused turn may be ready again by now.
    const thread = stopped.aborted ? undefined : ready.pop()
    if (thread === undefined) permit.settle(NO_OBSERVATION)
    else
      attemptTurn(
        thread,
        permit,
        toMicroseconds(Math.max(0, permit.grantedAt - (thread.readyAt ?? requestedAt))),
      )
    endIfOver()
  })
  const endIfOver = (): void => {
    const isLeft = ready.size > 0 && !stopped.aborted
    if (inFlight === 0 && !permits.isRequesting() && !isLeft) resolveFinished()
  }
  const pump = (): void => {
    permits.request()
    endIfOver()
  }
  const onStopped = (): void => {
    permits.giveUp()
    endIfOver()
  }
  stopped.addEventListener('abort', onStopped, { once: true })
  const forget = limiter.expect(() => Math.min(left - inFlight, (options.maxCalls ?? Infinity) - attempts))
  pump()
  await finished
  stopped.removeEventListener('abort', onStopped)
  forget()
  cancelPatienceTimer?.()
  if (stop !== undefined) return stop
  return threads.every((thread) => turnsLeft(thread) === 0) ? { kind: 'done' } : interruption(signal)
}

const NO_OBSERVATION: Observation = { kind: 'nothing' }

interface Permits {
  /** Requests permits, one at a time, while there are turns to send. */
  request(): void
  giveUp(): void
  /** Whether a permit is requested and not granted yet. */
  isRequesting(): boolean
}

/**
 * `wants` is called before each request. `onPermit` receives the permit, or undefined if the limiter is closed, and the
 * time of the request. A permit may be granted synchronously, so this is a loop and not a recursion.
 */
function createPermits(
  limiter: Limiter,
  clock: Clock,
  wants: () => boolean,
  onPermit: (permit: Permit | undefined, requestedAt: number) => void,
): Permits {
  let [isLooping, isRequesting, requestedAt] = [false, false, 0]
  let cancel: (() => void) | undefined

  const take = (permit: Permit | undefined): void => {
    cancel = undefined
    isRequesting = false
    onPermit(permit, requestedAt)
    request()
  }
  const request = (): void => {
    if (isLooping) return
    isLooping = true
    while (!isRequesting && wants()) {
      requestedAt = clock.now()
      isRequesting = true
      const giveUp = limiter.request(take)
      // Unless the permit was granted synchronously.
      if (isRequesting) cancel = giveUp
    }
    isLooping = false
  }
  return {
    request,
    giveUp: () => {
      cancel?.()
      cancel = undefined
      isRequesting = false
    },
    isRequesting: () => isRequesting,
  }
}

/**
 * Retries first, then the thread with the most turns left (longest processing time first), so that no long conversation
 * delays the end of the run; then set order.
 */
function compare(a: ThreadState, b: ThreadState): number {
  return (
    Number(b.tries > 0) - Number(a.tries > 0) ||
    turnsLeft(b) - turnsLeft(a) ||
    a.order - b.order ||
    a.repeat - b.repeat
  )
}

/** A heap of threads in progress and a sorted list of fresh ones, most of which are never compared again. */
export class ReadyQueue {
  readonly #fresh: readonly ThreadState[]
  #taken = 0
  readonly #started = new TinyQueue<ThreadState>([], compare)

  /** Ignores threads without turns left. */
  constructor(threads: readonly ThreadState[]) {
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
    if (fresh === undefined || (started !== undefined && compare(started, fresh) < 0))
      return this.#started.pop()
    this.#taken += 1
    return fresh
  }
}
