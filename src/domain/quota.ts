// The calls that a run used, the allowance that they count toward, and the organization's own ledger of them.
import * as z from 'zod'

/** What usage is measured against. Version 0.1 also recorded allowances of a day or a week. */
export const quotaSchema = z.object({
  calls: z.int().positive(),
  period: z.enum(['day', 'week', 'month']),
})
export type Quota = z.infer<typeof quotaSchema>

/** Calls ÷ allowance; 1 is all of it. Null where no allowance is known. */
export const shareOfQuota = (calls: number, quota: Quota | null): number | null =>
  quota === null ? null : calls / quota.calls

export const usageSchema = z.object({
  /** Requests sent or begun to be sent: certain + possible + notCounted. */
  attempts: z.int(),
  certain: z.int(),
  possible: z.int(),
  notCounted: z.int(),
  /** certain. */
  min: z.int(),
  /** certain + possible. */
  max: z.int(),
})
export type Usage = z.infer<typeof usageSchema>

/** Calls counted, at least and at most. */
export const usageRangeSchema = usageSchema.pick({ min: true, max: true })
export type UsageRange = z.infer<typeof usageRangeSchema>

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
