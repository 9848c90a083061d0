// The quota account: the class of each call, and what attempts cost by class.
import { type AttemptResult, isAmbiguous, statusOf } from '../domain/attempt.ts'
import { type Quota, shareOfQuota, type Usage } from '../domain/quota.ts'
import type { Figures } from '../domain/summary.ts'

export type UsageClass = 'certain' | 'possible' | 'notCounted'

/**
 * `certain`: a 2xx status arrived, whatever became of the body. `possible`: ambiguous, or an intent without a recorded
 * result (`undefined`). `notCounted`: never reached the endpoint, or refused before the assistant (3xx, 4xx, 429); that
 * refusals are not counted is an assumption.
 */
export function usageClassOf(result: AttemptResult | undefined): UsageClass {
  if (result === undefined) return 'possible'
  const status = statusOf(result)
  if (status !== undefined && status >= 200 && status < 300) return 'certain'
  return isAmbiguous(result) ? 'possible' : 'notCounted'
}

export function accountOf({ certain, possible, notCounted }: Readonly<Record<UsageClass, number>>): Usage {
  return {
    attempts: certain + possible + notCounted,
    certain,
    possible,
    notCounted,
    min: certain,
    max: certain + possible,
  }
}

/** With the share of the allowance that may be used up. */
export function accountWithin(
  classes: Readonly<Record<UsageClass, number>>,
  quota: Quota | null,
): Figures['quota'] {
  const account = accountOf(classes)
  return { ...account, shareOfQuota: shareOfQuota(account.max, quota) }
}
