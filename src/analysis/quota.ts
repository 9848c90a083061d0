// The quota account: the class of each call, and usage by class.
import { type AttemptResult, isAmbiguous, statusOf } from '../domain/attempt.ts'
import { type Quota, shareOfQuota, type Usage } from '../domain/quota.ts'
import type { Figures } from '../domain/summary.ts'

export type UsageClass = 'certain' | 'possible' | 'notCounted'

/**
 * `certain`: a 2xx status arrived, even if the body did not. `possible`: ambiguous. `notCounted`: never
 * reached the endpoint, or refused before the assistant (3xx, 4xx, 429). It is an assumption that refusals do
 * not count.
 */
export function usageClassOf(result: AttemptResult): UsageClass {
  const status = statusOf(result)
  if (status !== undefined && status >= 200 && status < 300) return 'certain'
  return isAmbiguous(result) ? 'possible' : 'notCounted'
}

/** Usage by class as a range: `min` is certain, `max` is possible. */
export function countUsage({ certain, possible, notCounted }: Readonly<Record<UsageClass, number>>): Usage {
  return {
    attempts: certain + possible + notCounted,
    certain,
    possible,
    notCounted,
    min: certain,
    max: certain + possible,
  }
}

export function quotaFigures(
  classes: Readonly<Record<UsageClass, number>>,
  quota: Quota | null,
): Figures['quota'] {
  const account = countUsage(classes)
  return { ...account, shareOfQuota: shareOfQuota(account.max, quota) }
}
