// Applies a decision to its thread, and returns the journal records.
import type { JournalRecord } from '../domain/journal.ts'
import type { Decision } from './decide.ts'
import { currentTurn, firstTurn, type ThreadState } from './thread-state.ts'

/** `attempt`: number of the attempt. `at`: its end, in milliseconds since the epoch. */
export function applyDecision(
  thread: ThreadState,
  decision: Decision,
  attempt: number,
  at: number,
): JournalRecord[] {
  const { repeat, conversation } = thread
  switch (decision.kind) {
    case 'answered': {
      const { contextLost, conversationId } = decision
      const question = currentTurn(thread).index
      thread.contextLost = contextLost
      thread.conversationId = conversationId
      thread.next += 1
      thread.tries = 0
      thread.resumed = false
      return [
        { kind: 'outcome', at, question, repeat, conversation, outcome: 'answered', attempt, contextLost },
      ]
    }
    case 'failed': {
      const failed = currentTurn(thread).index
      const later = thread.turns.slice(thread.next + 1)
      thread.next = thread.turns.length
      const place = { kind: 'outcome', at, repeat, conversation, contextLost: thread.contextLost } as const
      return [
        { ...place, question: failed, outcome: decision.outcome, attempt },
        ...later.map(({ index }) => ({ ...place, question: index, outcome: 'skipped' as const })),
      ]
    }
    case 'restart': {
      const first = firstTurn(thread).index
      const opened = conversation + 1
      Object.assign(thread, { next: 0, conversation: opened, conversationId: undefined, contextLost: false })
      Object.assign(thread, { restarted: thread.restarted || decision.isCounted, resumed: false, tries: 0 })
      return [{ kind: 'restart', at, question: first, repeat, conversation: opened, cause: decision.cause }]
    }
    case 'again':
    case 'keyRefused':
    case 'abandoned':
      return []
  }
}
