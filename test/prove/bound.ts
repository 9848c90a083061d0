// How high a rate may be, given what was counted.
import { binomialLowerTail } from '../../src/stats/distributions.ts'

/**
 * The one-sided upper 95 % bound of a rate, by Clopper and Pearson 1934, "The Use of Confidence or Fiducial Limits
 * Illustrated in the Case of the Binomial": the rate with which so few, or fewer, come out in 5 of 100 cases.
 */
export function upperBound(count: number, trials: number): number {
  let [low, high] = [count / trials, 1]
  while (high - low > 1e-9) {
    const middle = (low + high) / 2
    if (binomialLowerTail(count, trials, middle) > 0.05) low = middle
    else high = middle
  }
  return high
}
