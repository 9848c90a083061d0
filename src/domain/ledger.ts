// The organization's usage ledger as it was read: who counted what, and when.

/** A row of the ledger that counts something. */
export interface LedgerEntry {
  /** Which of the files, from 0. */
  readonly file: number
  /** Line of a CSV or NDJSON file, number of the item in a JSON array; from 1. */
  readonly line: number
  /** Milliseconds since the epoch, by the endpoint's clock; undefined where the row has no time. */
  readonly at: number | undefined
  /** Its time is known to be before this: a second later, or the end of the hour that a total is of. */
  readonly until: number
  /** Calls counted, from 1. */
  readonly count: number
  readonly conversationId: string | undefined
  readonly endUserRef: string | undefined
  readonly status: string | undefined
}

/** What a column of the ledger may hold. `counted`: whether the row counts toward the quota. */
export const LEDGER_ROLES = ['time', 'conversation', 'user', 'count', 'status', 'counted'] as const
export type LedgerRole = (typeof LEDGER_ROLES)[number]

/** From this on a row's time is that of a total, not of a call. */
export const BUCKET_MS = 60_000
