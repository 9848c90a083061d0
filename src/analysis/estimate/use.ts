// What one run's calls add up to in a period, and how much of the allowance that is.
import type { CallEstimate, QuotaEstimate, NightlyUse, UseEstimate } from '../../domain/estimate.ts'
import { nightsIn, repeatedCalls, shareOfQuota, type Quota } from '../../domain/quota.ts'

/** A run that `--max-calls` ends before it is done costs no more than that. */
export const spentOf = ({ base, worst }: CallEstimate): CallEstimate => ({
  base: Math.min(base, worst),
  worst,
})

/** Asked every night: in the allowance's period, in a month where none is known. */
export function estimateUse(calls: CallEstimate, quota: Quota | null): NightlyUse {
  const period = quota?.period ?? 'month'
  const runs = nightsIn(period)
  const over = (one: number): number => repeatedCalls({ min: one, max: one }, runs).max
  const cost = { base: over(calls.base), worst: over(calls.worst) }
  return { period, nightly: { runs, ...cost, shareOfQuota: sharesOf(cost, quota) } }
}

/** Null without an allowance. */
export function estimateQuota(calls: CallEstimate, quota: Quota | null): QuotaEstimate | null {
  const shares = sharesOf(calls, quota)
  if (quota === null || shares === null) return null
  const runs = (cost: number): number => (cost === 0 ? 0 : Math.floor(quota.calls / cost))
  return {
    calls: quota.calls,
    period: quota.period,
    shareOfQuota: shares,
    runs: { base: runs(calls.base), worst: runs(calls.worst) },
  }
}

function sharesOf({ base, worst }: CallEstimate, quota: Quota | null): UseEstimate['shareOfQuota'] {
  const [low, high] = [shareOfQuota(base, quota), shareOfQuota(worst, quota)]
  return low === null || high === null ? null : { base: low, worst: high }
}
