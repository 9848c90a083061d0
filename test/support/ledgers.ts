// Accounts and ledgers made for a test: attempts at known times, and rows that count some of them.
import { reconcile, type Reconciled, type ReconcileInput } from '../../src/analysis/ledger/reconcile.ts'
import type { LedgerEntry } from '../../src/domain/ledger.ts'
import type { AccountCall } from '../../src/domain/reconciliation.ts'

export const START = Date.UTC(2026, 10, 21, 12)

/** `from` and `until` in milliseconds from the start. */
export const makeCall = (
  attempt: number,
  from: number,
  until: number,
  more: Partial<AccountCall> = {},
): AccountCall => ({
  attempt,
  usage: 'certain',
  from: START + from,
  until: START + until,
  sentId: undefined,
  returnedId: undefined,
  refs: [`run-1-${attempt}-1-1`],
  questionId: `q${attempt}`,
  repeat: 1,
  came: 'answered',
  ...more,
})

/** `at` in milliseconds from the start; undefined for no time. */
export const makeEntry = (
  line: number,
  at: number | undefined,
  more: Partial<LedgerEntry> & { step?: number } = {},
): LedgerEntry => {
  const { step = 1, ...rest } = more
  return {
    file: 0,
    line,
    at: at === undefined ? undefined : START + at,
    until: at === undefined ? Infinity : START + at + step,
    count: 1,
    conversationId: undefined,
    endUserRef: undefined,
    status: undefined,
    ...rest,
  }
}

export const reconcileMade = (
  calls: readonly AccountCall[],
  entries: readonly LedgerEntry[],
  more: Partial<ReconcileInput> = {},
): Reconciled =>
  reconcile({
    runId: 'run-1',
    calls,
    entries,
    files: [],
    rotatingIds: false,
    toleranceMs: 100,
    offsetMs: undefined,
    notes: [],
    ...more,
  })
