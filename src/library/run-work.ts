// How a run sends: every turn behind the limiter, and how far it is by what its journal says.
import type { JournalRecord } from '../domain/journal.ts'
import { isErrorOutcome } from '../domain/outcome.ts'
import { runThreads } from '../runner/run.ts'
import { firstTurn, type ThreadState } from '../runner/thread-state.ts'
import { realClock } from './clock.ts'
import type { RunProgress } from './events.ts'
import type { Session, Work } from './session.ts'

export function createRunWork({ manifest, threads, limiter, attemptsBefore }: Session): Work {
  const { options, runId } = manifest
  const counter = createCounter(threads, options.groundedSources)
  return {
    send: async (ports, signals) =>
      runThreads(
        threads,
        { ...ports, limiter, clock: realClock },
        {
          runId,
          maxCalls: options.maxCalls ?? undefined,
          giveUpAfterMs: options.giveUpAfter,
          attemptsBefore,
          rotatingIds: options.rotatingIds,
          restartOnAmbiguous: options.onAmbiguous === 'restart',
          asksAgain: 'unprocessed',
        },
        signals,
      ),
    note: counter.note,
    progress: counter.progress,
  }
}

/** `done`: answered without its context, skipped, or in an earlier session, whose journal knows more. */
type TurnState = 'done' | 'error' | 'grounded' | 'ungrounded'

function createCounter(
  threads: readonly ThreadState[],
  groundedSources: readonly string[],
): { readonly note: (record: JournalRecord) => void; readonly progress: () => RunProgress } {
  const states = new Map<string, TurnState>()
  const counts: Record<TurnState, number> = { done: 0, error: 0, grounded: 0, ungrounded: 0 }
  let [attempts, rateLimited] = [0, 0]
  /** An attempt's outcome is recorded right after its result. */
  let replied: { readonly attempt: number; readonly source: string } | undefined
  const set = (key: string, state: TurnState | undefined): void => {
    const before = states.get(key)
    if (before !== undefined) counts[before] -= 1
    states.delete(key)
    if (state === undefined) return
    counts[state] += 1
    states.set(key, state)
  }
  const keyOf = (question: number, repeat: number): string => `${question} ${repeat}`
  const byFirst = new Map(threads.map((thread) => [keyOf(firstTurn(thread).index, thread.repeat), thread]))
  for (const { turns, next, repeat } of threads)
    for (const { index } of turns.slice(0, next)) set(keyOf(index, repeat), 'done')

  const stateOf = (record: Extract<JournalRecord, { kind: 'outcome' }>): TurnState => {
    if (isErrorOutcome(record.outcome)) return 'error'
    const isCounted =
      record.outcome === 'answered' && !record.contextLost && replied?.attempt === record.attempt
    if (!isCounted) return 'done'
    return groundedSources.includes(replied?.source ?? '') ? 'grounded' : 'ungrounded'
  }
  return {
    note: (record) => {
      if (record.kind === 'intent') attempts += 1
      if (record.kind === 'outcome') set(keyOf(record.question, record.repeat), stateOf(record))
      if (record.kind === 'restart')
        for (const { index } of byFirst.get(keyOf(record.question, record.repeat))?.turns ?? [])
          set(keyOf(index, record.repeat), undefined)
      if (record.kind !== 'result') return
      const { attempt, result } = record
      if (result.kind === 'rejection' && result.httpStatus === 429) rateLimited += 1
      if (result.kind === 'reply') replied = { attempt, source: result.reply.contextSource }
    },
    progress: () => ({
      of: 'run',
      total: threads.reduce((sum, { turns }) => sum + turns.length, 0),
      done: states.size,
      answered: counts.grounded + counts.ungrounded,
      grounded: counts.grounded,
      errors: counts.error,
      attempts,
      rateLimited,
    }),
  }
}
