// What asking a set every night, every week or for each release adds up to, as a table.
import type { Estimate, UseEstimate } from '../domain/estimate.ts'
import type { Rhythm } from '../domain/quota.ts'
import { digits } from '../domain/digits.ts'
import { percent } from './numbers.ts'
import { alignTable } from './table.ts'

const NAMES: Readonly<Record<Rhythm, string>> = {
  nightly: 'every night',
  weekly: 'every week',
  perRelease: 'each release',
}

export function useTable({ use }: Estimate): string[] {
  const { period } = use
  const hasShare = use.nightly.shareOfQuota !== null
  const rows = (Object.keys(NAMES) as Rhythm[]).map((rhythm) => {
    const { runs, base, worst, shareOfQuota }: UseEstimate = use[rhythm]
    const shares = shareOfQuota === null ? [] : [percent(shareOfQuota.base), percent(shareOfQuota.worst)]
    return [NAMES[rhythm], String(Number(runs.toFixed(2))), digits(base), digits(worst), ...shares]
  })
  const header = ['asked', `runs a ${period}`, `calls a ${period}`, 'at most']
  return alignTable(
    [[...header, ...(hasShare ? ['of the quota', 'at most'] : [])], ...rows],
    ['left', 'right', 'right', 'right', ...(hasShare ? (['right', 'right'] as const) : [])],
  )
}
