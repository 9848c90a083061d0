// The allowance out of what was said, over what was recorded.
import type { Quota } from '../domain/quota.ts'
import type { RunSettings } from './options/run-options.ts'
import { UsageError } from './usage-error.ts'

/** Null where none is known. Throws UsageError for a period without an allowance. */
export function quotaFrom(
  { quota, quotaPeriod }: Pick<RunSettings, 'quota' | 'quotaPeriod'>,
  recorded: Quota | null = null,
): Quota | null {
  const calls = quota ?? recorded?.calls
  if (calls !== undefined) return { calls, period: quotaPeriod ?? recorded?.period ?? 'month' }
  if (quotaPeriod !== undefined) throw new UsageError('--quota-period goes with --quota N')
  return null
}
