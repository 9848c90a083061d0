// How far a run is: counted with each record, for those who watch it.
import { isRateLimited } from '../domain/attempt.ts'
import type { JournalRecord } from '../domain/journal.ts'
import { isErrorOutcome } from '../domain/outcome.ts'
import { firstTurn, type ThreadState } from './thread-state.ts'

/** Turns of this session, except `attempts` and `rateLimited`. A restarted thread's turns count as open again. */
export interface RunProgress {
  readonly of: 'run'
  readonly total: number
  readonly done: number
  readonly answered: number
  readonly grounded: number
  readonly errors: number
  readonly attempts: number
  /** Attempts that got 429. */
  readonly rateLimited: number
  /** Calls of this session that have ended, whatever their result. */
  readonly ended: number
  readonly inFlight: number
  /** When the oldest call in flight was sent, in milliseconds since the epoch; null without one. */
  readonly oldestAt: number | null
}

/** The state of a turn in this session. `done`: answered without its context, or skipped. */
type TurnState = 'open' | 'done' | 'error' | 'grounded' | 'ungrounded'

/** Counts with each record: a run may have 100,000 turns. Turns that ended in an earlier session are not counted. */
export function createRunCounts(
  threads: readonly ThreadState[],
  groundedSources: readonly string[],
): { readonly note: (record: JournalRecord) => void; readonly progress: () => RunProgress } {
  const counts: Record<TurnState, number> = { open: 0, done: 0, error: 0, grounded: 0, ungrounded: 0 }
  /** States of the turns, by question and repeat. */
  const states: (TurnState | undefined)[][] = []
  const conversations = new Map(threads.map((thread) => [firstTurn(thread).index, thread.turns]))
  /** When each call in flight was sent, by its attempt; the oldest comes first. */
  const inFlight = new Map<number, number>()
  let [total, attempts, rateLimited, ended] = [0, 0, 0, 0]
  /** The last reply: an attempt's outcome is recorded right after its result. */
  let replied: { readonly attempt: number; readonly source: string } | undefined

  const set = (question: number, repeat: number, state: TurnState): void => {
    const repeats = (states[question] ??= [])
    const before = repeats[repeat]
    if (before === undefined) total += 1
    else counts[before] -= 1
    counts[state] += 1
    repeats[repeat] = state
  }
  const stateOf = (record: Extract<JournalRecord, { kind: 'outcome' }>): TurnState => {
    if (isErrorOutcome(record.outcome)) return 'error'
    const isCounted =
      record.outcome === 'answered' && !record.contextLost && replied?.attempt === record.attempt
    if (!isCounted) return 'done'
    return groundedSources.includes(replied?.source ?? '') ? 'grounded' : 'ungrounded'
  }
  for (const { turns, next, repeat } of threads)
    for (const { index } of turns.slice(next)) set(index, repeat, 'open')
  return {
    note: (record) => {
      if (record.kind === 'intent') {
        attempts += 1
        inFlight.set(record.attempt, record.at)
      }
      if (record.kind === 'outcome') set(record.question, record.repeat, stateOf(record))
      if (record.kind === 'restart')
        for (const { index } of conversations.get(record.question) ?? []) set(index, record.repeat, 'open')
      if (record.kind !== 'result') return
      const { attempt, result } = record
      inFlight.delete(attempt)
      ended += 1
      if (isRateLimited(result)) rateLimited += 1
      if (result.kind === 'reply') replied = { attempt, source: result.reply.contextSource }
    },
    progress: () => ({
      of: 'run',
      total,
      done: total - counts.open,
      answered: counts.grounded + counts.ungrounded,
      grounded: counts.grounded,
      errors: counts.error,
      attempts,
      rateLimited,
      ended,
      inFlight: inFlight.size,
      oldestAt: inFlight.values().next().value ?? null,
    }),
  }
}
