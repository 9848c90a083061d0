// Confidence interval of a share.

export interface Interval {
  readonly low: number
  readonly high: number
}

/** Two-sided 95 % of the standard normal distribution. */
const Z95 = 1.959963984540054

/**
 * Wilson score interval of `successes` out of `trials`, both counts; undefined without trials. Source:
 * Wilson 1927; in the form of Brown, Cai and DasGupta 2001, "Interval Estimation for a Binomial Proportion".
 */
export function wilson(successes: number, trials: number, z = Z95): Interval | undefined {
  if (trials === 0) return undefined
  const share = successes / trials
  const denominator = 1 + z ** 2 / trials
  const centre = (share + z ** 2 / (2 * trials)) / denominator
  const half = (z / denominator) * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2))
  // At 0 and n the bounds are exactly 0 and 1; floating point leaves them a hair off.
  return {
    low: successes === 0 ? 0 : Math.max(0, centre - half),
    high: successes === trials ? 1 : Math.min(1, centre + half),
  }
}
