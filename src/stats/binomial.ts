// Tail of the binomial distribution.
import { incompleteBeta } from './beta.ts'

/**
 * P(X ≤ successes) of `trials` with chance `chance` each: how surprising so few are. Source: DLMF 8.17.5,
 * I_{1−p}(n − x, x + 1). Counts need not be whole: an effective number of trials serves too (Korn and Graubard
 * 1998, "Confidence Intervals for Proportions with Small Expected Number of Positive Counts").
 */
export function binomialLowerTail(successes: number, trials: number, chance: number): number {
  if (successes >= trials) return 1
  return incompleteBeta(1 - chance, trials - successes, successes + 1)
}
