// How far a run is: counted with each record, for those who watch it.
import type { JournalEvent } from '../domain/journal.ts'
import { isErrorOutcome } from '../domain/outcome.ts'
import type { RunProgress } from '../domain/progress.ts'
import { createAccount } from './account.ts'

/** A thread of this session, from its first turn. */
export interface SentThread<Turn = { readonly index: number }> {
  readonly turns: readonly Turn[]
  readonly repeat: number
  /** Index of its first turn that this session sends. */
  readonly next: number
}

/** The state of a turn in this session. `done`: answered without its context, or skipped. */
type TurnState = 'open' | 'done' | 'error' | 'grounded' | 'ungrounded'

/**
 * Counts with each record: a run may have 100,000 turns. Turns that ended in an earlier session are not
 * counted.
 */
export function createRunCounts(threads: readonly SentThread[], groundedSources: readonly string[]) {
  const account = createAccount()
  const states = { open: 0, done: 0, error: 0, grounded: 0, ungrounded: 0 }
  let total = 0
  const stateOf: (TurnState | undefined)[][] = []
  const conversations = new Map(threads.map(({ turns }) => [turns[0]?.index, turns]))
  const set = (question: number, repeat: number, state: TurnState): void => {
    const repeats = (stateOf[question] ??= [])
    const before = repeats[repeat]
    if (before === undefined) total += 1
    else states[before] -= 1
    states[state] += 1
    repeats[repeat] = state
  }
  const expect = (more: readonly SentThread[]): void => {
    for (const { turns, next, repeat } of more)
      for (const { index } of turns.slice(next)) set(index, repeat, 'open')
  }
  expect(threads)
  return {
    expect,
    add: (event: JournalEvent): void => {
      account.add(event)
      if (event.kind === 'turnEnded') {
        const { outcome, contextLost, result } = event
        let state: TurnState = isErrorOutcome(outcome) ? 'error' : 'done'
        if (outcome === 'answered' && !contextLost && result?.result.kind === 'reply')
          state = groundedSources.includes(result.result.reply.contextSource) ? 'grounded' : 'ungrounded'
        set(event.question, event.repeat, state)
      }
      if (event.kind === 'restart')
        for (const { index } of conversations.get(event.question) ?? []) set(index, event.repeat, 'open')
    },
    progress: (): RunProgress => ({
      of: 'run',
      total,
      done: total - states.open,
      answered: states.grounded + states.ungrounded,
      grounded: states.grounded,
      errors: states.error,
      attempts: account.counts.sent,
      rateLimited: account.counts.rateLimited,
      ended: account.counts.ended,
      inFlight: account.inFlight.size,
      oldestAt: account.inFlight.values().next().value ?? null,
    }),
  }
}
