// Usage, the quota that it is measured against, and the organization's ledger.
import * as z from 'zod'

export const quotaSchema = z.object({
  calls: z.int().positive().describe('Calls of a period'),
  period: z.literal('month').describe('month'),
})
/** It is null without a quota, and for settings that are not recorded yet, whose quota counts calls. */
export const recordedQuotaSchema = quotaSchema.nullable().catch(null)
export type Quota = z.infer<typeof quotaSchema>

export const RUNS_A_MONTH = 365.25 / 12

/** A share of 1 is the whole allowance; null without one. */
export const shareOfQuota = (calls: number, quota: Quota | null): number | null =>
  quota === null ? null : calls / quota.calls

export const usageRangeSchema = z.object({
  min: z.int().describe('certain'),
  max: z.int().describe('certain + possible'),
})
export type UsageRange = z.infer<typeof usageRangeSchema>

export const usageSchema = z.object({
  attempts: z.int().describe('certain + possible + notCounted'),
  certain: z.int().describe('Calls with a 2xx'),
  possible: z.int().describe('Calls that may have been processed: a 5xx, a timeout, no recorded end'),
  notCounted: z.int().describe('Calls that never arrived, or were refused with a 3xx or 4xx: an assumption'),
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
  matchedBy: z
    .enum(['id', 'total'])
    .describe('id: calls with an id of the run; total: all during the run, other traffic included'),
  counted: z.int().describe('Calls that the ledger counts'),
  others: z.int().describe('Calls during the run without an id of it'),
  duplicates: z.int().default(0).describe('Counted rows that repeat another row'),
  ...usageRangeSchema.shape,
  verdict: z.enum(['within', 'below', 'above']).describe('Where its count lies: within min and max, or not'),
  by: z.int().describe('Calls beyond min or max'),
})
export type LedgerResult = z.infer<typeof ledgerResultSchema>
