// The turns of a run one by one, in the order of the set, each joined with the answer that stands.
import type { JournalRecord } from '../domain/journal.ts'
import type { TurnRecord } from '../domain/turn.ts'
import { accountOf } from './account.ts'
import type { Model, Slot } from './fold.ts'

/** `pick` reads a record again from where the journal keeps it, so that no answer is held in memory. Turns whose question is lost are passed over. */
export function* turnRecords<P>(
  { slots, questions }: Pick<Model<P>, 'slots' | 'questions'>,
  pick: (place: P) => JournalRecord,
): Generator<TurnRecord> {
  for (const slot of slots) {
    const turn = turnRecordOf({ questions }, pick, slot)
    if (turn !== undefined) yield turn
  }
}

/** One turn, read again at any time. Undefined where its question is lost. */
export function turnRecordOf<P>(
  { questions }: Pick<Model<P>, 'questions'>,
  pick: (place: P) => JournalRecord,
  slot: Slot<P>,
): TurnRecord | undefined {
  const question = questions[slot.index]
  return question === undefined ? undefined : { question, ...joinSlot(slot, pick) }
}

function joinSlot<P>(slot: Slot<P>, pick: (place: P) => JournalRecord): Omit<TurnRecord, 'question'> {
  const { index, repeat, outcome, contextLost, last, waitMs, usage, rateLimited } = slot
  const decided = outcome === undefined || outcome === 'skipped' ? undefined : last
  const record = decided === undefined ? undefined : pick(decided.place)
  return {
    index,
    repeat,
    outcome,
    contextLost,
    rateLimited,
    usage: accountOf(usage),
    result: record?.kind === 'result' ? record.result : undefined,
    serviceMs: record?.kind === 'result' ? record.serviceMs : undefined,
    waitMs: decided === undefined ? undefined : waitMs,
  }
}

/** `null` without a denominator: missing is not zero. */
export const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)
