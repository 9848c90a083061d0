// The turns of a run one by one, in the order of the set, each joined with the answer that stands.
import type { JournalRecord } from '../domain/journal.ts'
import type { TurnRecord } from '../domain/turn.ts'
import { accountOf } from './quota-account.ts'
import type { RunIndex } from './run-index.ts'
import type { Slot } from './slots.ts'

/** `pick` reads a record again from where the journal keeps it, so that no answer is held in memory. */
export function* turnRecords<P>(
  index: RunIndex<P>,
  pick: (place: P) => JournalRecord,
): Generator<TurnRecord> {
  for (const slot of index.slots) {
    const question = index.questions[slot.index]
    if (question === undefined) continue
    yield { question, ...joinSlot(slot, pick) }
  }
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
    serviceMs: decided?.serviceMs,
    waitMs: decided === undefined ? undefined : waitMs,
  }
}
