// The state of each thread of a recorded run, and the records that its last session did not write.
import { replyOf } from '../domain/attempt.ts'
import type { JournalRecord } from '../domain/journal.ts'
import { isErrorOutcome, type Outcome } from '../domain/outcome.ts'
import type { ThreadState } from './thread-state.ts'
import { applyDecision, decide, type TurnRules } from './turn.ts'

/** What the journals say of one turn. */
export interface RecordedTurn {
  readonly outcome: Outcome | undefined
  readonly conversation: number
  readonly contextLost: boolean
  /** An attempt in the current conversation has no result, so the conversation's state is unknown. */
  readonly dangling: boolean
  /** The last attempt with a result in the current conversation; the result is read when it is needed. */
  readonly last: { readonly attempt: number; readonly read: () => JournalRecord } | undefined
}

export interface RestoreRules extends TurnRules {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Send threads again in which a turn ended in an error. */
  readonly retryErrors: boolean
}

interface Restored {
  readonly state: ThreadState
  readonly records: readonly JournalRecord[]
}

/**
 * Where a thread of an earlier session goes on. `opened`: as at the start of the run; `turns`: those of the
 * thread.
 */
export function restoreThread(
  opened: ThreadState,
  turns: readonly RecordedTurn[],
  rules: RestoreRules,
): Restored {
  const state = { ...opened, conversation: Math.max(...turns.map(({ conversation }) => conversation)) }
  const cause = restartCause(turns, rules.retryErrors)
  if (cause !== undefined) return restart(state, cause, rules.at)
  const open = turns.findIndex(({ outcome }) => outcome === undefined)
  if (open === -1) return { state: { ...state, next: turns.length }, records: [] }
  if (turns.some(isFailed)) return skipFrom(state, open, rules.at)
  return settle(continueThread(state, open, turns[open - 1]), turns[open], rules)
}

const isFailed = ({ outcome }: RecordedTurn): boolean => outcome !== undefined && isErrorOutcome(outcome)

/** Why the thread must restart; undefined if it can continue, or is done. */
function restartCause(turns: readonly RecordedTurn[], retryErrors: boolean): string | undefined {
  const hasFailed = turns.some(isFailed)
  if (hasFailed && retryErrors) return 'sent again after an error'
  const open = turns.findIndex(({ outcome }) => outcome === undefined)
  if (open === -1 || hasFailed) return undefined
  if (turns.some(({ dangling }) => dangling)) return 'resumed after an attempt without a result'
  const wasSent = ({ outcome, last }: RecordedTurn): boolean => outcome !== undefined || last !== undefined
  return turns.slice(open + 1).some(wasSent) ? 'the journal has lost a turn of the thread' : undefined
}

/** The restart is recorded with the thread's next intent, not before: this session may stop first. */
function restart(state: ThreadState, cause: string, at: number): Restored {
  const [pending] = applyDecision(state, { kind: 'restart', cause, isCounted: false }, 0, at)
  return { state: { ...state, pending }, records: [] }
}

/** The session ended after a turn's error, before the later turns were recorded as skipped. */
function skipFrom(state: ThreadState, open: number, at: number): Restored {
  const { repeat, conversation, contextLost } = state
  const skipped = { kind: 'outcome', at, repeat, conversation, outcome: 'skipped', contextLost } as const
  return {
    state: { ...state, next: state.turns.length },
    records: state.turns.slice(open).map(({ index }) => ({ ...skipped, question: index })),
  }
}

function continueThread(state: ThreadState, next: number, before: RecordedTurn | undefined): ThreadState {
  const record = before?.last?.read()
  const conversationId = record?.kind === 'result' ? replyOf(record.result)?.conversationId : undefined
  return {
    ...state,
    next,
    conversationId,
    contextLost: before?.contextLost ?? false,
    resumed: conversationId !== undefined,
  }
}

/** The session ended after an attempt's result, before its outcome was recorded. */
function settle(state: ThreadState, turn: RecordedTurn | undefined, rules: RestoreRules): Restored {
  const last = turn?.last
  const record = last?.read()
  if (last === undefined || record?.kind !== 'result') return { state, records: [] }
  const decision = decide(state, record.result, rules)
  if (decision.kind === 'restart') return restart(state, decision.cause, rules.at)
  const records = applyDecision(state, decision, last.attempt, rules.at)
  return { state: { ...state, resumed: state.conversationId !== undefined }, records }
}
