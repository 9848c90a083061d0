// Usage, and the allowance that it is measured against: the one place for this arithmetic.
import * as z from 'zod'
import { type AttemptResult, isAmbiguous } from './attempt.ts'

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

const usageClassSchema = z.enum(['certain', 'possible', 'notCounted'])
export type UsageClass = z.infer<typeof usageClassSchema>

/**
 * `certain`: a 2xx status arrived, whatever became of the body. `possible`: ambiguous, or an intent whose
 * result was never recorded (`undefined`). `notCounted`: never reached the endpoint, or refused before the
 * assistant (3xx, 4xx, 429); that refusals are not counted is an assumption.
 */
export function usageClassOf(result: AttemptResult | undefined): UsageClass {
  if (result === undefined) return 'possible'
  const status = 'httpStatus' in result ? result.httpStatus : undefined
  if (status !== undefined && status >= 200 && status < 300) return 'certain'
  return isAmbiguous(result) ? 'possible' : 'notCounted'
}

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
