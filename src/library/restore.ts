// The state of each thread of a recorded run, and the records that its last session did not write.
import type { Model, Slot } from '../analysis/fold.ts'
import type { JournalRecord } from '../domain/journal.ts'
import { isErrorOutcome } from '../domain/outcome.ts'
import type { RecordPicker } from '../journal/read.ts'
import type { PlannedTurn, ThreadState } from '../runner/thread-state.ts'
import { applyDecision, decide, type TurnRules } from '../runner/turn.ts'
import { openThreads } from './question-sets.ts'

interface Restoring extends TurnRules {
  /** How often each question is sent. */
  readonly repeats: number
  /** Reads a record again. */
  readonly pick: RecordPicker['pick']
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Send threads again in which a turn ended in an error. */
  readonly retryErrors: boolean
}

interface RestoredThread {
  readonly state: ThreadState
  readonly records: readonly JournalRecord[]
}

/** Every thread of the set, once for each repeat. */
export function restoreThreads(turns: readonly PlannedTurn[], model: Model, restoring: Restoring) {
  const restored = openThreads(turns, restoring.repeats).map((opened) => {
    const slots = opened.turns.map((planned) => model.slotOf(planned.index, opened.repeat))
    const conversation = Math.max(...slots.map((slot) => slot.conversation))
    return restoreThread({ ...opened, conversation }, slots, restoring)
  })
  return { threads: restored.map(({ state }) => state), records: restored.flatMap(({ records }) => records) }
}

function restoreThread(state: ThreadState, slots: readonly Slot[], restoring: Restoring): RestoredThread {
  const cause = restartCause(slots, restoring.retryErrors)
  if (cause !== undefined) return restart(state, cause, restoring.at)
  const open = slots.findIndex(({ outcome }) => outcome === undefined)
  if (open === -1) return { state: { ...state, next: slots.length }, records: [] }
  if (slots.some(isFailed)) return skipFrom(state, open, restoring.at)
  return settle(continueThread(state, open, slots[open - 1], restoring), slots[open], restoring)
}

const isFailed = ({ outcome }: Slot): boolean => outcome !== undefined && isErrorOutcome(outcome)

/** Why the thread must restart; undefined if it can continue, or is done. */
function restartCause(slots: readonly Slot[], retryErrors: boolean): string | undefined {
  const hasFailed = slots.some(isFailed)
  if (hasFailed && retryErrors) return 'sent again after an error'
  const open = slots.findIndex(({ outcome }) => outcome === undefined)
  if (open === -1 || hasFailed) return undefined
  if (slots.some(({ dangling }) => dangling)) return 'resumed after an attempt without a result'
  const wasSent = ({ outcome, last }: Slot): boolean => outcome !== undefined || last !== undefined
  return slots.slice(open + 1).some(wasSent) ? 'the journal has lost a turn of the thread' : undefined
}

/** The restart is recorded with the thread's next intent, not before: this session may stop first. */
function restart(state: ThreadState, cause: string, at: number): RestoredThread {
  const [pending] = applyDecision(state, { kind: 'restart', cause, isCounted: false }, 0, at)
  return { state: { ...state, pending }, records: [] }
}

/** The session ended after a turn's error, before the later turns were recorded as skipped. */
function skipFrom(state: ThreadState, open: number, at: number): RestoredThread {
  const { repeat, conversation, contextLost } = state
  const place = { kind: 'outcome', at, repeat, conversation, outcome: 'skipped', contextLost } as const
  return {
    state: { ...state, next: state.turns.length },
    records: state.turns.slice(open).map(({ index }) => ({ ...place, question: index })),
  }
}

function continueThread(
  state: ThreadState,
  next: number,
  before: Slot | undefined,
  { pick }: Restoring,
): ThreadState {
  const record = before?.last === undefined ? undefined : pick(before.last.position)
  const reply = record?.kind === 'result' && record.result.kind === 'reply' ? record.result.reply : undefined
  const conversationId = reply?.conversationId
  return {
    ...state,
    next,
    conversationId,
    contextLost: before?.contextLost ?? false,
    resumed: conversationId !== undefined,
  }
}

/** The session ended after an attempt's result, before its outcome was recorded. */
function settle(state: ThreadState, slot: Slot | undefined, restoring: Restoring): RestoredThread {
  const last = slot?.last
  const record = last === undefined ? undefined : restoring.pick(last.position)
  if (last === undefined || record?.kind !== 'result') return { state, records: [] }
  const decision = decide(state, record.result, restoring)
  if (decision.kind === 'restart') return restart(state, decision.cause, restoring.at)
  const records = applyDecision(state, decision, last.attempt, restoring.at)
  return { state: { ...state, resumed: state.conversationId !== undefined }, records }
}
