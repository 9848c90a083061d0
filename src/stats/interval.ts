// Confidence interval of a share.

export interface Interval {
  readonly low: number
  readonly high: number
}

/** Two-sided 95 % of the standard normal distribution. */
export const Z95 = 1.959963984540054

/** Wilson score interval of `successes` out of `trials`, both counts; undefined without trials. */
export function wilson(successes: number, trials: number, z = Z95): Interval | undefined {
  return trials === 0 ? undefined : wilsonOfShare(successes / trials, trials, z)
}

/**
 * The same for a share (0 to 1) of so many trials (above 0), which need not be a whole number. Source:
 * Wilson 1927; in the form of Brown, Cai and DasGupta 2001, "Interval Estimation for a Binomial Proportion".
 */
export function wilsonOfShare(share: number, trials: number, z = Z95): Interval {
  const denominator = 1 + z ** 2 / trials
  const centre = (share + z ** 2 / (2 * trials)) / denominator
  const half = (z / denominator) * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2))
  // At 0 and 1 one bound is exactly that; floating point leaves it a hair off.
  return {
    low: share === 0 ? 0 : Math.max(0, centre - half),
    high: share === 1 ? 1 : Math.min(1, centre + half),
  }
}
