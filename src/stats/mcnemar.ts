// Whether losses and gains of paired yes-or-no values differ by more than chance.
import { binomialLowerTail } from './binomial.ts'

/**
 * Exact two-sided p-value for `lost` pairs that turned from yes to no and `gained` ones that turned from no to yes;
 * 1 without either. Pairs must be independent: one turn a thread. Source: McNemar 1947, "Note on the Sampling
 * Error of the Difference between Correlated Proportions or Percentages", as the sign test of the discordant pairs:
 * twice the smaller tail of Binomial(lost + gained, 1/2) (Siegel 1956, Nonparametric Statistics).
 */
export function exactMcNemar(lost: number, gained: number): number {
  if (lost === gained) return 1
  return Math.min(1, 2 * binomialLowerTail(Math.min(lost, gained), lost + gained, 0.5))
}
