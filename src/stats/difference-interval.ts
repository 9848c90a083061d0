// Interval of the difference of two shares that were measured apart.
import { wilsonOfShare, type Interval } from './interval.ts'

/** A share (0 to 1) of so many independent trials (above 0), which need not be a whole number. */
export interface MeasuredShare {
  readonly share: number
  readonly trials: number
}

/**
 * Of `later` minus `earlier`, −1 to 1, with the confidence of `z`. Newcombe's hybrid of two Wilson intervals, for
 * independent samples. Source: Newcombe 1998, "Interval Estimation for the Difference Between Independent
 * Proportions", method 10. Where both ask the same questions it is too wide, never too narrow: such shares move together.
 */
export function differenceInterval(earlier: MeasuredShare, later: MeasuredShare, z: number): Interval {
  const before = wilsonOfShare(earlier.share, earlier.trials, z)
  const after = wilsonOfShare(later.share, later.trials, z)
  const difference = later.share - earlier.share
  const down = Math.hypot(later.share - after.low, before.high - earlier.share)
  const up = Math.hypot(after.high - later.share, earlier.share - before.low)
  return { low: difference - down, high: difference + up }
}
