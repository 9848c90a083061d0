// Whether a share, or any score, moves with a dose: within strata, so that strata of another mix cannot feign a trend.
import { normalBelow } from './normal.ts'

/** Sums over the pairs (x, y) of a stratum, x the dose and y the outcome (0 or 1 for a share). */
export interface StratumSums {
  n: number
  x: number
  y: number
  xx: number
  yy: number
  xy: number
}

export const emptyStratum = (): StratumSums => ({ n: 0, x: 0, y: 0, xx: 0, yy: 0, xy: 0 })

export function addPair(sums: StratumSums, x: number, y: number): void {
  sums.n += 1
  sums.x += x
  sums.y += y
  sums.xx += x * x
  sums.yy += y * y
  sums.xy += x * y
}

export interface Trend {
  /** Mantel's statistic as a normal deviate: its square is χ² with one degree of freedom. */
  readonly z: number
  /** Two-sided. */
  readonly p: number
  /** How much y grows with one unit of x within a stratum, least squares. */
  readonly slope: number
  /** Strata in which x differs. */
  readonly strata: number
}

/**
 * Mantel's extension of the test of Cochran and Armitage to strata (Mantel 1963, "Chi-Square Tests with One Degree of
 * Freedom"; the correlation statistic of Cochran, Mantel and Haenszel in Agresti 2002, 7.5.3): Σ Sxy over strata, its
 * variance under permutation within each Σ Sxx·Syy/(n − 1), with sums about the means of the stratum. Undefined where x
 * differs in no stratum. The pairs of a stratum are taken as exchangeable: what moves together must be one pair.
 */
export function stratifiedTrend(strata: Iterable<StratumSums>): Trend | undefined {
  let [total, variance, spread, used] = [0, 0, 0, 0]
  for (const { n, x, y, xx, yy, xy } of strata) {
    if (n < 2) continue
    const [sxx, syy, sxy] = [xx - (x * x) / n, yy - (y * y) / n, xy - (x * y) / n]
    // What floating point leaves of equal values is no spread.
    if (sxx <= 1e-9 * xx) continue
    used += 1
    spread += sxx
    if (syy <= 1e-9 * yy) continue
    total += sxy
    variance += (sxx * syy) / (n - 1)
  }
  if (used === 0) return undefined
  // Each stratum had one outcome whatever the dose: nothing moved.
  if (variance === 0) return { z: 0, p: 1, slope: 0, strata: used }
  const z = total / Math.sqrt(variance)
  return { z, p: 2 * normalBelow(-Math.abs(z)), slope: total / spread, strata: used }
}
