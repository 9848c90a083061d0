// Quantiles of Student's t distribution.
import { incompleteBeta } from './beta.ts'

/** P(|T| > t) with `degrees` of freedom. Source: Abramowitz and Stegun 26.7.1 in the form I_x(ν/2, 1/2). */
export function studentTails(t: number, degrees: number): number {
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5)
}

/** The t that |T| exceeds with probability `tails` (0 < tails < 1); `degrees` ≥ 1. By halving, to 12 digits. */
export function studentQuantile(tails: number, degrees: number): number {
  let [low, high] = [0, 1]
  while (studentTails(high, degrees) > tails) high *= 2
  while (high - low > 1e-12 * high) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) break
    if (studentTails(middle, degrees) > tails) low = middle
    else high = middle
  }
  return (low + high) / 2
}
