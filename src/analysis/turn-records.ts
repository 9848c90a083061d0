// The turns of a run one by one, in the order of the set, each joined with the answer that stands.
import type { JournalRecord } from '../domain/journal.ts'
import type { TurnRecord } from '../domain/turn.ts'
import type { UsageClass } from '../domain/quota.ts'
import { accountOf } from './quota-account.ts'
import { slotKey } from './beside.ts'
import type { RunIndex } from './run-index.ts'
import type { Slot } from './slots.ts'

/** `pick` reads a record again from where the journal keeps it, so that no answer is held in memory. */
export function* turnRecords<P>(
  index: RunIndex<P>,
  pick: (place: P) => JournalRecord,
): Generator<TurnRecord> {
  for (const slot of index.slots) {
    const turn = turnRecordOf(index, pick, slot)
    if (turn !== undefined) yield turn
  }
}

/** One turn, read again at any time. Undefined where its question is lost. */
export function turnRecordOf<P>(
  index: RunIndex<P>,
  pick: (place: P) => JournalRecord,
  slot: Slot<P>,
): TurnRecord | undefined {
  const question = index.questions.at(slot.index)
  if (question === undefined) return undefined
  const confirmations = index.confirmations.get(slotKey(slot)) ?? []
  const rateLimited = confirmations.reduce((sum, one) => sum + one.rateLimited, slot.rateLimited)
  const usage = accountOf(addUp([slot, ...confirmations].map((one) => one.usage)))
  return { question, ...joinSlot(slot, pick), usage, rateLimited }
}

/** What a turn's question was answered when it was asked again to confirm that it fails. */
export function confirmationsOf<P>(
  index: RunIndex<P>,
  pick: (place: P) => JournalRecord,
): (turn: TurnRecord) => TurnRecord[] {
  return (turn) =>
    (index.confirmations.get(slotKey(turn)) ?? []).map((slot) => ({
      question: turn.question,
      ...joinSlot(slot, pick),
    }))
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

function addUp(usages: readonly Readonly<Record<UsageClass, number>>[]): Record<UsageClass, number> {
  const sum = { certain: 0, possible: 0, notCounted: 0 }
  for (const { certain, possible, notCounted } of usages) {
    sum.certain += certain
    sum.possible += possible
    sum.notCounted += notCounted
  }
  return sum
}
