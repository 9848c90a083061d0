// The change of a share between two runs of the same turns, resampled by thread.
import { normalCdf, normalQuantile, studentQuantile, studentTails } from './distributions.ts'
import type { Interval } from './intervals.ts'

export interface PairedCluster {
  readonly turns: number
  readonly baseline: number
  readonly candidate: number
}

export interface BootstrapOptions {
  /** It is uniform in [0, 1). */
  readonly random: () => number
  readonly replicates?: number
  /** The two-sided test has this level; the interval covers 1 − level. */
  readonly level?: number
}

/**
 * Bootstraps the candidate's share − the baseline's. Undefined for fewer than two threads with turns. Threads
 * are drawn with replacement, each with the values of both runs, so that turns of a thread and answers to a
 * question stay together (Davison and Hinkley 1997, 3.8; Field and Welsh 2007, "Bootstrapping Clustered
 * Data"). A few changed threads are too few to estimate from: use `signFlipTest` as well.
 */
export function bootstrapShares(
  clusters: Iterable<PairedCluster>,
  { random, replicates = 2000, level = 0.05 }: BootstrapOptions,
): BootstrapResult | undefined {
  const nonEmpty = [...clusters].filter(({ turns }) => turns > 0)
  const count = nonEmpty.length
  if (count < 2) return undefined
  const turns = Float64Array.from(nonEmpty, (cluster) => cluster.turns)
  const gains = Float64Array.from(nonEmpty, (cluster) => cluster.candidate - cluster.baseline)
  const draw = (): number => {
    let [gain, drawn] = [0, 0]
    for (let pick = 0; pick < count; pick += 1) {
      const index = Math.floor(random() * count)
      gain += gains[index] ?? 0
      drawn += turns[index] ?? 0
    }
    return gain / drawn
  }
  const resampled = Float64Array.from({ length: replicates }, draw)
  return bootstrapResult(resampled, count - 1, level)
}

/** The difference is candidate − baseline. Bounds are infinite if there are too few clusters for them. */
export interface BootstrapResult extends Interval {
  /** The test is two-sided. p is at most the level exactly if the interval excludes 0. */
  readonly p: number
}

/**
 * Gives the expanded percentile interval (Hesterberg 2015, "What Teachers Should Know About the Bootstrap").
 * Efron's percentile interval is too narrow for few clusters: resampling shrinks their variance by (k − 1)/k
 * and ignores Student's t. So the tails are cut at Φ(−√(k/(k − 1))·t) for k − 1 = `degrees`. Percentile and
 * not BCa: it stays within the range of the figure, and BCa's acceleration, by jackknife, is not consistent
 * for quantiles.
 *
 * The p-value inverts that interval: (replicates at or beyond 0 + 1) ÷ (all replicates + 1) (Davison and
 * Hinkley 1997, Bootstrap Methods and their Application, 4.2), converted to a tail of t.
 */
export function bootstrapResult(replicates: Float64Array, degrees: number, level: number): BootstrapResult {
  const sorted = Float64Array.from(replicates).sort()
  const shrinkage = Math.sqrt(degrees / (degrees + 1))
  const tail = normalCdf(-studentQuantile(level, degrees) / shrinkage)
  const rank = Math.floor(Number((tail * (sorted.length + 1)).toFixed(9)))
  return {
    low: sorted[rank - 1] ?? -Infinity,
    high: sorted[sorted.length - rank] ?? Infinity,
    p: pValue(sorted, degrees, shrinkage),
  }
}

function pValue(sorted: Float64Array, degrees: number, shrinkage: number): number {
  let [upToZero, fromZero] = [0, 0]
  for (const replicate of sorted) {
    if (replicate <= 0) upToZero += 1
    if (replicate >= 0) fromZero += 1
  }
  const tail = (Math.min(upToZero, fromZero) + 1) / (sorted.length + 1)
  return tail >= 0.5 ? 1 : studentTails(normalQuantile(1 - tail) * shrinkage, degrees)
}
