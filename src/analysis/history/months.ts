// Usage by organization and calendar month of UTC: what runs and load tests have cost of the allowance together.
import { compareTexts } from '../../domain/text.ts'
import type { MonthOfUse, MonthSoFar } from '../../domain/history.ts'
import { callsAMonth, type Quota, type UsageRange } from '../../domain/quota.ts'
import { byStart, type RecordedLoad, type RecordedRun } from './recorded-run.ts'

export interface MonthlyUse {
  readonly months: readonly MonthOfUse[]
  /** By folder. */
  readonly soFar: ReadonlyMap<string, MonthSoFar>
}

/** Of runs that each count once. Use counts in the month of its start. */
export function monthlyUse(runs: readonly RecordedRun[], loads: readonly RecordedLoad[]): MonthlyUse {
  const months = new Map<string, MonthOfUse>()
  const soFar = new Map<string, MonthSoFar>()
  const uses = [
    ...runs.map((run) => ({ ...run, usage: run.summary, counts: ONE_RUN })),
    ...loads.map((load) => ({ ...load, counts: ONE_LOAD })),
  ].sort(byStart)
  for (const { folder, manifest, usage, counts } of uses) {
    const organization = organizationOf({ manifest })
    const month = manifest.startedAt.slice(0, 7)
    const key = JSON.stringify([organization, month])
    const before = months.get(key) ?? { ...NOTHING, organization, month }
    const { quota } = usage.run
    const now = added(before, usage.quota, quota, counts)
    months.set(key, now)
    soFar.set(folder, { min: now.min, max: now.max, share: shareOf(now.max, quota) })
  }
  return {
    months: [...months.values()].sort(
      (some, other) =>
        compareTexts(some.organization, other.organization) || compareTexts(some.month, other.month),
    ),
    soFar,
  }
}

/** A sandbox has a key of its own each time; together they are one desk that costs nothing. */
export const organizationOf = ({ manifest: { target } }: Pick<RecordedRun, 'manifest'>): string =>
  target.sandbox ? 'sandbox' : target.organization

const ONE_RUN = { runs: 1, loads: 0 }
const ONE_LOAD = { runs: 0, loads: 1 }
const NOTHING = { min: 0, max: 0, runs: 0, loads: 0, quota: null, share: null }

function added(
  before: MonthOfUse,
  { min, max }: UsageRange,
  recorded: Quota | null,
  counts: Readonly<Record<'runs' | 'loads', number>>,
): MonthOfUse {
  const quota = recorded ?? before.quota
  return {
    ...before,
    min: before.min + min,
    max: before.max + max,
    runs: before.runs + counts.runs,
    loads: before.loads + counts.loads,
    quota,
    share: shareOf(before.max + max, quota),
  }
}

const shareOf = (calls: number, quota: Quota | null): number | null =>
  quota === null ? null : calls / callsAMonth(quota)
