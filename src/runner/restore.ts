// The state of each thread of a recorded run, and the records that its last session did not write.
import { replyOf } from '../domain/attempt.ts'
import type { JournalRecord, Position } from '../domain/journal.ts'
import { isErrorOutcome, type Outcome } from '../domain/outcome.ts'
import { applyDecision, decide, type ThreadState, type TurnRules } from './thread.ts'

export interface RecordedTurn {
  readonly outcome: Outcome | undefined
  readonly conversation: number
  readonly contextLost: boolean
  /** Says that an attempt has no result, so the state of the current conversation is unknown. */
  readonly dangling: boolean
  /** Is the last attempt with a result in the current conversation. */
  readonly last: { readonly attempt: number; readonly position: Position } | undefined
}

export interface RestoreRules extends TurnRules {
  /** Counts milliseconds since the epoch. */
  readonly at: number
  readonly retryErrors: boolean
  /** Reads a record again. */
  readonly pick: (position: Position) => JournalRecord
}

/**
 * Finds where a thread of an earlier session goes on, and makes the records that the session did not write.
 * `opened` is the thread as at the start of the run, `turns` what is recorded of its turns.
 */
export function restoreThread(
  opened: ThreadState,
  turns: readonly RecordedTurn[],
  rules: RestoreRules,
): Restored {
  const { at, pick } = rules
  const state = { ...opened, conversation: Math.max(...turns.map(({ conversation }) => conversation)) }
  const open = turns.findIndex(({ outcome }) => outcome === undefined)
  const hasFailed = turns.some(({ outcome }) => outcome !== undefined && isErrorOutcome(outcome))
  if (hasFailed && rules.retryErrors) return restart(state, 'sent again after an error', at)
  if (open === -1) return { state: { ...state, next: turns.length }, records: [] }
  // The session ended after a turn's error, before the later turns were recorded as skipped.
  if (hasFailed) {
    const { repeat, conversation, contextLost } = state
    const skipped = { kind: 'outcome', at, repeat, conversation, outcome: 'skipped', contextLost } as const
    return {
      state: { ...state, next: state.turns.length },
      records: state.turns.slice(open).map(({ index }) => ({ ...skipped, question: index })),
    }
  }
  if (turns.some(({ dangling }) => dangling))
    return restart(state, 'resumed after an attempt without a result', at)
  if (turns.slice(open + 1).some(({ outcome, last }) => outcome !== undefined || last !== undefined))
    return restart(state, 'the journal has lost a turn of the thread', at)
  const before = turns[open - 1]
  const answer = before?.last && pick(before.last.position)
  state.next = open
  state.conversationId = answer?.kind === 'result' ? replyOf(answer.result)?.conversationId : undefined
  state.contextLost = before?.contextLost ?? false
  state.resumed = state.conversationId !== undefined
  // The session ended after an attempt's result, before its outcome was recorded.
  const last = turns[open]?.last
  const record = last && pick(last.position)
  if (last === undefined || record?.kind !== 'result') return { state, records: [] }
  const decision = decide(state, record.result, rules)
  if (decision.kind === 'restart') return restart(state, decision.cause, at)
  const records = applyDecision(state, decision, last.attempt, at)
  state.resumed = state.conversationId !== undefined
  return { state, records }
}

interface Restored {
  readonly state: ThreadState
  readonly records: readonly JournalRecord[]
}

/** Restarts with a record in the next intent, not before: this session may stop first. */
function restart(state: ThreadState, cause: string, at: number): Restored {
  const [pending] = applyDecision(state, { kind: 'restart', cause, isCounted: false }, 0, at)
  return { state: { ...state, pending }, records: [] }
}
