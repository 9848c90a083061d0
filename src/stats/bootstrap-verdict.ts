// What bootstrap replicates of a difference say: its interval, and a p-value that agrees with it.
import { type Interval } from './interval.ts'
import { normalBelow, normalQuantile } from './normal.ts'
import { studentQuantile, studentTails } from './student-t.ts'

/** Candidate minus baseline; `low` and `high` are infinite where the clusters are too few to bound it. */
export interface Difference extends Interval {
  readonly estimate: number
  /** Two-sided, for no difference; at most the level exactly where the interval leaves 0 out. */
  readonly p: number
}

/**
 * Expanded percentile interval (Hesterberg 2015, "What Teachers Should Know About the Bootstrap"): the plain
 * one of Efron is too narrow for few clusters, since resampling them shrinks their variance by (k − 1)/k and knows
 * no t. So the tails are cut at Φ(−√(k/(k − 1))·t) for k − 1 = `degrees`. Percentile rather than BCa, as it
 * keeps to the range of the figure and the acceleration of BCa, by jackknife, is not consistent for quantiles.
 *
 * The p-value inverts that interval: replicates on or beyond 0, plus one, ÷ (their number + 1) (Davison and Hinkley
 * 1997, Bootstrap Methods and their Application, 4.2), turned back into a tail of t.
 */
export function bootstrapVerdict(
  replicates: Float64Array,
  figures: { readonly estimate: number; readonly degrees: number; readonly level: number },
): Difference {
  const { estimate, degrees, level } = figures
  const sorted = Float64Array.from(replicates).sort()
  const shrunk = Math.sqrt(degrees / (degrees + 1))
  const tail = normalBelow(-studentQuantile(level, degrees) / shrunk)
  const rank = Math.floor(Number((tail * (sorted.length + 1)).toFixed(9)))
  return {
    estimate,
    low: sorted[rank - 1] ?? -Infinity,
    high: sorted[sorted.length - rank] ?? Infinity,
    p: pValue(sorted, degrees, shrunk),
  }
}

function pValue(sorted: Float64Array, degrees: number, shrunk: number): number {
  let [upToZero, fromZero] = [0, 0]
  for (const replicate of sorted) {
    if (replicate <= 0) upToZero += 1
    if (replicate >= 0) fromZero += 1
  }
  const tail = (Math.min(upToZero, fromZero) + 1) / (sorted.length + 1)
  return tail >= 0.5 ? 1 : studentTails(normalQuantile(1 - tail) * shrunk, degrees)
}
