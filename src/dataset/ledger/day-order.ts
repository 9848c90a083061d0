// Whether 11/12 is the 11th of December or the 12th of November: told by the other rows, or by when the run was.

export interface TimedRow {
  /** Day first, where both are possible. */
  readonly local: number | undefined
  /** Month first. */
  readonly swapped: number | undefined
}

/** A zone may be as far away. */
const SLACK_MS = 15 * 3_600_000

/**
 * Whether the month comes first. `near`: when the run was. A doubt that nothing resolves is told, and the day taken as
 * first.
 */
export function dayOrder(
  rows: readonly TimedRow[],
  near: { readonly from: number; readonly until: number } | undefined,
  warn: (message: string) => void,
): boolean {
  const doubtful = rows.filter(({ swapped }) => swapped !== undefined)
  if (doubtful.length === 0) return false
  const isNear = (time: number | undefined): boolean =>
    time !== undefined && near !== undefined && time >= near.from - SLACK_MS && time <= near.until + SLACK_MS
  const dayFirst = doubtful.filter(({ local }) => isNear(local)).length
  const monthFirst = doubtful.filter(({ swapped }) => isNear(swapped)).length
  if (dayFirst === monthFirst)
    warn('whether day or month comes first in its dates cannot be told; the day is taken as first')
  return monthFirst > dayFirst
}
