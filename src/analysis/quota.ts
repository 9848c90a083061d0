// Arithmetic of usage: the class of each call, and the cost of a month.
import { type AttemptResult, isAmbiguous } from '../domain/attempt.ts'
import type { Quota, UsageRange } from '../domain/quota.ts'

export type UsageClass = 'certain' | 'possible' | 'notCounted'

/**
 * `certain`: a 2xx status arrived, whatever became of the body. `possible`: ambiguous, or an intent without a recorded
 * result (`undefined`). `notCounted`: never reached the endpoint, or refused before the assistant (3xx, 4xx, 429); that
 * refusals are not counted is an assumption.
 */
export function usageClassOf(result: AttemptResult | undefined): UsageClass {
  if (result === undefined) return 'possible'
  const status = 'httpStatus' in result ? result.httpStatus : undefined
  if (status !== undefined && status >= 200 && status < 300) return 'certain'
  return isAmbiguous(result) ? 'possible' : 'notCounted'
}

/** Means of the Gregorian calendar. A month has 365.25 ÷ 12 = 30.4375 days, which is exact in binary. */
const PERIOD_DAYS = { day: 1, week: 7, month: 365.25 / 12 } as const
export const NIGHTS_A_MONTH = PERIOD_DAYS.month

/** The allowance of a month. */
export const callsAMonth = ({ calls, period }: Quota): number =>
  (calls * PERIOD_DAYS.month) / PERIOD_DAYS[period]

/** The cost of one run, times `runs`: rounded where it is known exactly, outwards elsewhere. */
export const repeatedCalls = ({ min, max }: UsageRange, runs: number): UsageRange =>
  min === max
    ? { min: Math.round(min * runs), max: Math.round(max * runs) }
    : { min: Math.floor(min * runs), max: Math.ceil(max * runs) }
