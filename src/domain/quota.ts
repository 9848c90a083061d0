// The allowance of AI calls, and what asking something again and again adds up to: the one place for this arithmetic.
import * as z from 'zod'

export const QUOTA_PERIODS = ['day', 'week', 'month'] as const
export type QuotaPeriod = (typeof QUOTA_PERIODS)[number]

/** What usage is measured against: so many calls a period. */
export const quotaSchema = z.object({ calls: z.int().positive(), period: z.enum(QUOTA_PERIODS) })
export type Quota = z.infer<typeof quotaSchema>

/** Calls, known between two bounds. */
export interface CallRange {
  readonly min: number
  readonly max: number
}

/** A mean month of the Gregorian calendar: 365.25 ÷ 12 = 30.4375, which is exact in binary. */
export const PERIOD_DAYS: Readonly<Record<QuotaPeriod, number>> = { day: 1, week: 7, month: 365.25 / 12 }

/** Nights in a period, on the mean. */
export const nightsIn = (period: QuotaPeriod): number => PERIOD_DAYS[period]

/**
 * What asking so many turns again is to be expected to cost, from a run of them: what it took, but a call a turn at least, as
 * an estimate has it. A turn that was skipped, or ended in an error that is not counted, took nothing, and will not fail for ever.
 */
export const costOfAll = ({ min, max }: CallRange, turns: number): CallRange => ({
  min: Math.max(min, turns),
  max: Math.max(max, turns),
})

/** What `runs` runs cost that cost so much each: a whole number of calls where that is known exactly, outwards elsewhere. */
export function repeatedCalls({ min, max }: CallRange, runs: number): CallRange {
  if (min === max) {
    const calls = Math.round(min * runs)
    return { min: calls, max: calls }
  }
  return { min: Math.floor(min * runs), max: Math.ceil(max * runs) }
}

/** Calls ÷ allowance; 1 is all of it. Null where no allowance is known. */
export const shareOfQuota = (calls: number, quota: Quota | null): number | null =>
  quota === null ? null : calls / quota.calls

/** What a month has of an allowance that is for a day or a week. */
export const callsAMonth = ({ calls, period }: Quota): number =>
  (calls * PERIOD_DAYS.month) / PERIOD_DAYS[period]
