// Which class of the quota account an attempt falls in, and the account as an interval.
import * as z from 'zod'
import { isAmbiguous, type AttemptResult } from './attempt.ts'

export const usageClassSchema = z.enum(['certain', 'possible', 'notCounted'])
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
