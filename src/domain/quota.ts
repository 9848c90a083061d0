// Usage, the quota that it is measured against, and the organization's ledger.
import * as z from 'zod'

export const quotaSchema = z.object({ calls: z.int().positive(), period: z.literal('month') })
/** Null without one, and for settings that are not recorded yet, whose quota is a number of calls. */
export const recordedQuotaSchema = quotaSchema.nullable().catch(null)
export type Quota = z.infer<typeof quotaSchema>

/** The mean of the Gregorian calendar. */
export const RUNS_A_MONTH = 365.25 / 12

/** 1 is the whole allowance; null without one. */
export const shareOfQuota = (calls: number, quota: Quota | null): number | null =>
  quota === null ? null : calls / quota.calls

/** Calls that count toward the quota: `min` is certain, `max` is certain + possible. */
export const usageRangeSchema = z.object({ min: z.int(), max: z.int() })
export type UsageRange = z.infer<typeof usageRangeSchema>

/** `attempts`: certain + possible + notCounted. */
export const usageSchema = z.object({
  attempts: z.int(),
  certain: z.int(),
  possible: z.int(),
  notCounted: z.int(),
  ...usageRangeSchema.shape,
})

export interface LedgerEntry {
  /** Milliseconds since the Unix epoch, if the row has a time. */
  readonly at: number | undefined
  readonly count: number
  readonly conversationId: string | undefined
  readonly endUserRef: string | undefined
  /** Equal for rows whose cells are all equal. */
  readonly row: string
}

export const ledgerResultSchema = z.object({
  /** `id`: calls with an id of the run. `total`: all calls during the run, other traffic included. */
  matchedBy: z.enum(['id', 'total']),
  /** The run's calls by the ledger. */
  counted: z.int(),
  /** Calls during the run without an id of it; 0 with `total`. */
  others: z.int(),
  /** Rows among the counted ones that repeat another row. */
  duplicates: z.int().default(0),
  ...usageRangeSchema.shape,
  verdict: z.enum(['within', 'below', 'above']),
  /** The distance from the interval of `min` to `max`. */
  by: z.int(),
})
export type LedgerResult = z.infer<typeof ledgerResultSchema>
