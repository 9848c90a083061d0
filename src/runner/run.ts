// A run: takes leave from the limiter, asks the turn that is best next, records what came, until nothing is left.
import type { AssistRequest, AttemptReport, AttemptResult } from '../domain/attempt.ts'
import type { Clock } from '../domain/clock.ts'
import type { JournalRecord } from '../domain/journal.ts'
import type { Stop } from '../domain/stop.ts'
import type { Limiter, Permit } from '../pace/limiter.ts'
import { observe, type Observation } from '../pace/observation.ts'
import { decide, type TurnRules } from './decide.ts'
import { follow } from './follow.ts'
import { createPatience } from './patience.ts'
import { createReadyQueue } from './ready-queue.ts'
import { currentTurn, requestOf, type ThreadState } from './thread-state.ts'

export interface RunnerPorts {
  readonly ask: (request: AssistRequest, signal: AbortSignal) => Promise<AttemptReport>
  /** Returns when the record is written; what it throws ends the run. */
  readonly record: (record: JournalRecord) => void
  readonly limiter: Limiter
  readonly clock: Clock
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
  { ask, record, limiter, clock }: RunnerPorts,
  options: RunnerOptions,
  signals: RunnerSignals,
): Promise<Stop> {
  const ready = createReadyQueue(threads.filter((thread) => thread.next < thread.turns.length))
  const patience = createPatience(options.giveUpAfterMs)
  const underWay = new Set<Promise<void>>()
  const halt = new AbortController()
  const stopped = AbortSignal.any([signals.stop, halt.signal])
  let attempts = options.attemptsBefore
  let stop: Stop | undefined

  const stopFor = (reason: Stop): void => {
    stop ??= reason
    halt.abort()
  }

  const attemptTurn = async (thread: ThreadState, permit: Permit, waitMs: number): Promise<void> => {
    let observation: Observation = { kind: 'nothing' }
    try {
      const attempt = ++attempts
      const turn = currentTurn(thread)
      const { repeat, conversation, conversationId } = thread
      thread.tries += 1
      const place = { question: turn.index, repeat, conversation }
      record({ kind: 'intent', at: clock.wall(), attempt, ...place, conversationId: conversationId ?? null })
      const { sentAt, endedAt, result } = await ask(requestOf(thread, options.runId), signals.abandon)
      const at = clock.wall()
      observation = observe(result, at)
      record({ kind: 'result', at, attempt, waitMs, serviceMs: endedAt - sentAt, result })

      const decision = decide(thread, result, options)
      if (decision.kind === 'keyRefused') stopFor(decision)
      for (const one of follow(thread, decision, attempt, at)) record(one)
      thread.readyAt = clock.now()
      if (decision.kind !== 'keyRefused' && decision.kind !== 'leave' && thread.next < thread.turns.length)
        ready.push(thread)
      if (patience.isOver(observation, permit.grantedAt, clock.now(), limiter.state().excusedMs))
        stopFor(describeGivingUp(observation, result, options.giveUpAfterMs))
    } catch (error) {
      stopFor({ kind: 'fault', message: error instanceof Error ? error.message : String(error) })
    } finally {
      permit.settle(observation)
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
  if (stop !== undefined) return stop
  const isOver = threads.every((thread) => thread.next >= thread.turns.length)
  return isOver ? { kind: 'done' } : interruption(signals.stop)
}

function interruption({ reason }: AbortSignal): Stop {
  return { kind: 'interrupted', signal: reason === 'SIGTERM' ? 'SIGTERM' : 'SIGINT' }
}

function describeGivingUp(observation: Observation, result: AttemptResult, afterMs: number): Stop {
  return observation.kind === 'failed'
    ? { kind: 'gaveUp', over: 'failures', last: observation.cause, afterMs }
    : { kind: 'gaveUp', over: 'refusals', last: describeRejection(result), afterMs }
}

/** What the endpoint says itself tells a spent quota from a rate limit. */
function describeRejection(result: AttemptResult): string {
  if (result.kind !== 'rejection') return result.kind
  const { code, message } = result.error
  return [String(result.httpStatus), ...(code === undefined ? [] : [code]), message].join(' ').slice(0, 300)
}
