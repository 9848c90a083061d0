// Usage, the quota that it is measured against, and the organization's ledger.
import * as z from 'zod'

export const quotaSchema = z.object({ calls: z.int().positive(), period: z.literal('month') })
/** It is null without a quota, and for settings that are not recorded yet, whose quota counts calls. */
export const recordedQuotaSchema = quotaSchema.nullable().catch(null)
export type Quota = z.infer<typeof quotaSchema>

export const RUNS_A_MONTH = 365.25 / 12

/** A share of 1 is the whole allowance; null without one. */
export const shareOfQuota = (calls: number, quota: Quota | null): number | null =>
  quota === null ? null : calls / quota.calls

/** `min` is certain, `max` is certain + possible. */
export const usageRangeSchema = z.object({ min: z.int(), max: z.int() })
export type UsageRange = z.infer<typeof usageRangeSchema>

/** `attempts` is certain + possible + notCounted. */
export const usageSchema = z.object({
  attempts: z.int(),
  certain: z.int(),
  possible: z.int(),
  notCounted: z.int(),
  ...usageRangeSchema.shape,
})

export interface LedgerEntry {
  /** The unit is milliseconds since the Unix epoch; a row may have no time. */
  readonly at: number | undefined
  readonly count: number
  readonly conversationId: string | undefined
  readonly endUserRef: string | undefined
  readonly row: string
}

export const ledgerResultSchema = z.object({
  /** `id` counts calls with an id of the run, `total` all calls during the run, other traffic included. */
  matchedBy: z.enum(['id', 'total']),
  counted: z.int(),
  others: z.int(),
  /** Counted rows that repeat another row are duplicates. */
  duplicates: z.int().default(0),
  ...usageRangeSchema.shape,
  verdict: z.enum(['within', 'below', 'above']),
  by: z.int(),
})
export type LedgerResult = z.infer<typeof ledgerResultSchema>
