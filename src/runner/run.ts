// A run: takes leave from the limiter, asks the turn that is best next, records what came, until nothing is left.
import type { AttemptReport } from '../domain/attempt.ts'
import type { Clock } from '../domain/clock.ts'
import { Heap } from './heap.ts'
import type { Stop } from '../domain/stop.ts'
import type { Limiter, Permit } from '../pace/limiter.ts'
import { type Observation, observe } from '../pace/observation.ts'
import { type AttemptPorts, sendTurn, settleTurn } from './attempt.ts'
import type { TurnRules } from './decide.ts'
import { createPatience, interruption, stopOfError, toMicroseconds, wordsOf } from './stops.ts'
import { type ThreadState, turnsLeft } from './thread-state.ts'

export interface RunnerPorts extends AttemptPorts {
  readonly limiter: Limiter
}

export interface RunnerOptions extends TurnRules {
  readonly runId: string
  /** Attempts at most, over all sittings; undefined for no end. */
  readonly maxCalls: number | undefined
  readonly giveUpAfterMs: number
  /** Attempts of earlier sittings. */
  readonly attemptsBefore: number
}

export interface RunnerSignals {
  /** Send nothing more; what is under way is awaited. */
  readonly stop: AbortSignal
  /** Give up what is under way, too. */
  readonly abandon: AbortSignal
}

/** Asks every turn of the threads that has no outcome yet. Resolves when nothing is under way any more. */
export async function runThreads(
  threads: readonly ThreadState[],
  ports: RunnerPorts,
  options: RunnerOptions,
  signals: RunnerSignals,
): Promise<Stop> {
  const { limiter, clock } = ports
  const ready = new ReadyQueue(threads)
  /** Threads that are not at their end. */
  let unfinished = ready.size
  const patience = createPatience(options.giveUpAfterMs)
  const halt = new AbortController()
  const stopped = AbortSignal.any([signals.stop, halt.signal])
  let attempts = options.attemptsBefore
  let stop: Stop | undefined
  let cancelLook: (() => void) | undefined
  let underWay = 0
  let over: () => void = () => undefined
  const finished = new Promise<void>((resolve) => {
    over = resolve
  })

  const stopFor = (reason: Stop): void => {
    stop ??= reason
    halt.abort()
  }

  /** Patience may end while nothing comes back: in the middle of a backoff. */
  const lookAtPatience = (): void => {
    cancelLook?.()
    cancelLook = undefined
    if (stopped.aborted) return
    const now = clock.now()
    const loss = patience.lostOver(now)
    if (loss !== undefined) stopFor(loss)
    const remaining = loss === undefined ? patience.remainingMs(now) : undefined
    if (remaining !== undefined) cancelLook = clock.after(Math.max(1, remaining), lookAtPatience)
  }

  /** An attempt has come to its end, or was never sent: its leave is given back. */
  const finish = (permit: Permit, observation: Observation): void => {
    underWay -= 1
    permit.settle(observation)
    // All is well: nothing is to be looked at, and no timer set.
    if (cancelLook !== undefined || !patience.isCalm()) lookAtPatience()
    pump()
  }

  const settle = (
    thread: ThreadState,
    permit: Permit,
    attempt: number,
    waitMs: number,
    report: AttemptReport,
  ): void => {
    let observation: Observation = NOTHING
    try {
      const { sentAt, endedAt, result } = report
      const at = clock.wall()
      observation = observe(result, at, sentAt - permit.grantedAt)
      const serviceMs = toMicroseconds(endedAt - sentAt)
      const record = { kind: 'result', at, attempt, waitMs, serviceMs, result } as const
      const decision = settleTurn(thread, ports, options, record)
      if (decision.kind === 'keyRefused') stopFor(decision)
      if (turnsLeft(thread) === 0) unfinished -= 1
      const now = clock.now()
      thread.readyAt = now
      if (decision.kind !== 'keyRefused' && decision.kind !== 'leave' && thread.next < thread.turns.length)
        ready.push(thread)
      if (observation.kind !== 'accepted' || !patience.isCalm()) {
        patience.note({ observation, words: wordsOf(observation, result), sentAt: permit.grantedAt, now })
      }
    } catch (error) {
      stopFor(stopOfError(error))
    }
    finish(permit, observation)
  }

  const attemptTurn = (thread: ThreadState, permit: Permit, waitMs: number): void => {
    const attempt = ++attempts
    underWay += 1
    const failed = (error: unknown): void => {
      stopFor(stopOfError(error))
      finish(permit, NOTHING)
    }
    try {
      sendTurn(
        thread,
        ports,
        { attempt, runId: options.runId, abandon: signals.abandon },
        { ended: (report) => settle(thread, permit, attempt, waitMs, report), failed },
      )
    } catch (error) {
      failed(error)
    }
  }

  /** Whether there is something to ask; a used-up budget ends the run. */
  const wantsLeave = (): boolean => {
    if (stopped.aborted || ready.size === 0) return false
    if (options.maxCalls === undefined || attempts < options.maxCalls) return true
    stopFor({ kind: 'budget', maxCalls: options.maxCalls })
    return false
  }
  const leaves = createLeaves(limiter, clock, wantsLeave, (permit, askedAt) => {
    if (permit === undefined) {
      halt.abort()
      return
    }
    // Chosen now and not before the wait: a refused turn may have come back meanwhile.
    const thread = stopped.aborted ? undefined : ready.pop()
    if (thread === undefined) permit.settle(NOTHING)
    else
      attemptTurn(thread, permit, toMicroseconds(Math.max(0, permit.grantedAt - (thread.readyAt ?? askedAt))))
    endIfOver()
  })
  const endIfOver = (): void => {
    const isLeft = ready.size > 0 && !stopped.aborted
    if (underWay === 0 && !leaves.isAsking() && !isLeft) over()
  }
  const pump = (): void => {
    leaves.ask()
    endIfOver()
  }
  const onStopped = (): void => {
    leaves.giveUp()
    endIfOver()
  }
  stopped.addEventListener('abort', onStopped, { once: true })
  pump()
  await finished
  stopped.removeEventListener('abort', onStopped)
  cancelLook?.()
  if (stop !== undefined) return stop
  return unfinished === 0 ? { kind: 'done' } : interruption(signals.stop)
}

const NOTHING: Observation = { kind: 'nothing' }

interface Leaves {
  /** Asks as long as there is something to send; one leave is asked for at a time. */
  ask(): void
  giveUp(): void
  /** Whether a leave is asked for and has not come. */
  isAsking(): boolean
}

/**
 * `wants` is asked before each; `onLeave` gets the leave and when it was asked for, milliseconds of the clock, or undefined
 * once the limiter is closed. A leave may come at once, in a loop and not one within the other.
 */
function createLeaves(
  limiter: Limiter,
  clock: Clock,
  wants: () => boolean,
  onLeave: (permit: Permit | undefined, askedAt: number) => void,
): Leaves {
  let [isLooping, isAsking, askedAt] = [false, false, 0]
  let cancel: (() => void) | undefined

  const take = (permit: Permit | undefined): void => {
    cancel = undefined
    isAsking = false
    onLeave(permit, askedAt)
    ask()
  }
  const ask = (): void => {
    if (isLooping) return
    isLooping = true
    while (!isAsking && wants()) {
      askedAt = clock.now()
      isAsking = true
      const giveUp = limiter.request(take)
      // It may have come already.
      if (isAsking) cancel = giveUp
    }
    isLooping = false
  }
  return {
    ask,
    giveUp: () => {
      cancel?.()
      cancel = undefined
      isAsking = false
    },
    isAsking: () => isAsking,
  }
}

/**
 * First what is sent again, since the endpoint has refused it once; then the thread with the most turns left, so
 * that a long conversation does not make the tail (longest processing time first); then the order of the set.
 */
function compare(a: ThreadState, b: ThreadState): number {
  return (
    Number(b.tries > 0) - Number(a.tries > 0) ||
    turnsLeft(b) - turnsLeft(a) ||
    a.order - b.order ||
    a.repeat - b.repeat
  )
}

/** Threads that were begun, beside a sorted list of the others: most are never compared again. */
export class ReadyQueue {
  readonly #fresh: readonly ThreadState[]
  #taken = 0
  readonly #begun = new Heap<ThreadState>((a, b) => compare(a, b) < 0)

  /** Those at their end are left out. */
  constructor(threads: readonly ThreadState[]) {
    this.#fresh = threads.filter((thread) => turnsLeft(thread) > 0).sort(compare)
  }

  get size(): number {
    return this.#fresh.length - this.#taken + this.#begun.size
  }

  push(thread: ThreadState): void {
    this.#begun.push(thread)
  }

  pop(): ThreadState | undefined {
    const [begun, fresh] = [this.#begun.first(), this.#fresh[this.#taken]]
    if (fresh === undefined || (begun !== undefined && compare(begun, fresh) < 0)) return this.#begun.pop()
    this.#taken += 1
    return fresh
  }
}
