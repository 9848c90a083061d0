// The allowance out of what was said, over what was recorded.
import type { Quota } from '../domain/quota.ts'
import type { RunSettings } from '../library/read-options.ts'

/** Null where none is known. An allowance that is given is for a month; 0.1 recorded others. */
export function quotaFrom(
  { quota }: Pick<RunSettings, 'quota'>,
  recorded: Quota | null = null,
): Quota | null {
  return quota === undefined ? recorded : { calls: quota, period: 'month' }
}
