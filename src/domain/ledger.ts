// The organization's own usage export, held against the quota account of a run.
import * as z from 'zod'

/** A row of the export that counts something. */
export interface LedgerEntry {
  /** Milliseconds since the epoch; undefined where the row has no time. */
  readonly at: number | undefined
  /** Calls, from 1. */
  readonly count: number
  readonly conversationId: string | undefined
  readonly endUserRef: string | undefined
}

export const ledgerResultSchema = z.object({
  /** Names of the files, without their folders. */
  files: z.array(z.string()),
  /** `id`: calls with a conversation or an end user of the run. `total`: all calls in the run's time, whoever made them. */
  matchedBy: z.enum(['id', 'total']),
  /** Calls that the ledger counts for the run. */
  counted: z.int(),
  /** Calls in the run's time without an id of the run; 0 with totals. */
  others: z.int(),
  /** The account's interval. */
  min: z.int(),
  max: z.int(),
  verdict: z.enum(['within', 'below', 'above']),
  /** How far outside the interval. */
  by: z.int(),
})
export type LedgerResult = z.infer<typeof ledgerResultSchema>
