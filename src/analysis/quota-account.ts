// The quota account: how many calls the endpoint counted for certain, and how many at most.
import { shareOfQuota, type Quota, type Usage, type UsageClass } from '../domain/quota.ts'
import type { Figures } from '../domain/summary.ts'

/** The classes' counts as an account; usage lies in [min, max]. */
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
