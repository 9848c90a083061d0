// A run: takes leave from the limiter, asks the turn that is best next, records what came, until nothing is left.
import type { Sequence } from '../columns/sequence.ts'
import type { Stop } from '../domain/stop.ts'
import type { Limiter, Permit } from '../pace/limiter.ts'
import { observe, type Observation } from '../pace/observation.ts'
import { sendTurn, settleTurn, type AttemptPorts } from './attempt.ts'
import type { TurnRules } from './decide.ts'
import { createPatience } from './patience.ts'
import { createReadyQueue } from './ready-queue.ts'
import { interruption, stopOfError, wordsOf } from './stops.ts'
import { turnsLeft, type ThreadState } from './thread-state.ts'

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
  /** Codes of refusals (429) that earlier sittings overcame: those of a rate limit. */
  readonly rateLimitCodes?: readonly string[]
}

export interface RunnerSignals {
  /** Send nothing more; what is under way is awaited. */
  readonly stop: AbortSignal
  /** Give up what is under way, too. */
  readonly abandon: AbortSignal
}

/** Asks every turn of the threads that has no outcome yet; a thread is opened when it is to be asked. Resolves when nothing is under way any more. */
export async function runThreads(
  threads: Sequence<ThreadState>,
  ports: RunnerPorts,
  options: RunnerOptions,
  signals: RunnerSignals,
): Promise<Stop> {
  const { limiter, clock } = ports
  const ready = createReadyQueue(threads)
  /** Threads that are not at their end. */
  let left = ready.size
  const patience = createPatience(options.giveUpAfterMs, options.rateLimitCodes)
  const underWay = new Set<Promise<void>>()
  const halt = new AbortController()
  const stopped = AbortSignal.any([signals.stop, halt.signal])
  let attempts = options.attemptsBefore
  let stop: Stop | undefined
  let cancelLook: (() => void) | undefined

  const stopFor = (reason: Stop): void => {
    stop ??= reason
    halt.abort()
  }

  /** Patience may end while nothing comes back: in the middle of a backoff. */
  const lookAtPatience = (): void => {
    cancelLook?.()
    cancelLook = undefined
    if (stopped.aborted) return
    const [now, { excusedMs }] = [clock.now(), limiter.state()]
    const loss = patience.lostOver(now, excusedMs)
    if (loss !== undefined) stopFor(loss)
    const left = loss === undefined ? patience.remainingMs(now, excusedMs) : undefined
    if (left !== undefined) cancelLook = clock.after(Math.max(1, left), lookAtPatience)
  }

  const attemptTurn = async (thread: ThreadState, permit: Permit, waitMs: number): Promise<void> => {
    let observation: Observation = { kind: 'nothing' }
    try {
      const attempt = ++attempts
      const sending = { attempt, runId: options.runId, abandon: signals.abandon }
      const { sentAt, endedAt, result } = await sendTurn(thread, ports, sending)
      const at = clock.wall()
      observation = observe(result, at)
      const serviceMs = endedAt - sentAt
      const decision = settleTurn(thread, ports, options, { at, attempt, waitMs, serviceMs, result })
      if (decision.kind === 'keyRefused') stopFor(decision)
      if (turnsLeft(thread) === 0) left -= 1
      thread.readyAt = clock.now()
      if (decision.kind !== 'keyRefused' && decision.kind !== 'leave' && thread.next < thread.turns.length)
        ready.push(thread)
      const sign = {
        observation,
        ...wordsOf(observation, result),
        sentAt: permit.grantedAt,
        now: clock.now(),
      }
      patience.note(sign, limiter.state().excusedMs)
    } catch (error) {
      stopFor(stopOfError(error))
    } finally {
      permit.settle(observation)
      lookAtPatience()
    }
  }

  while (!stopped.aborted) {
    if (ready.size === 0) {
      if (underWay.size === 0) break
      await Promise.race(underWay)
      continue
    }
    if (options.maxCalls !== undefined && attempts >= options.maxCalls) {
      stopFor({ kind: 'budget', maxCalls: options.maxCalls })
      break
    }
    const askedAt = clock.now()
    const permit = await limiter.acquire(stopped)
    if (permit === undefined) break
    // Chosen now and not before the wait: a refused turn may have come back meanwhile.
    const thread = ready.pop()
    if (thread === undefined) {
      permit.settle({ kind: 'nothing' })
      continue
    }
    const task = attemptTurn(thread, permit, Math.max(0, permit.grantedAt - (thread.readyAt ?? askedAt)))
    underWay.add(task)
    void task.finally(() => underWay.delete(task))
  }
  await Promise.all(underWay)
  cancelLook?.()
  if (stop !== undefined) return stop
  return left === 0 ? { kind: 'done' } : interruption(signals.stop)
}
