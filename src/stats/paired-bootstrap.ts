// By how much a share changed between two runs over the same turns, which come in threads.
import { normalBelow, normalQuantile, studentQuantile, studentTails } from './distributions.ts'
import type { Interval } from './intervals.ts'

/** One thread, both runs: of so many turns (paired), how many succeeded in each. */
export interface PairedCluster {
  readonly turns: number
  readonly baseline: number
  readonly candidate: number
}

export interface BootstrapOptions {
  /** Uniform in [0, 1). */
  readonly random: () => number
  readonly replicates?: number
  /** Of the two-sided test; the interval holds 1 − level. */
  readonly level?: number
}

/**
 * Of the candidate's share − the baseline's; undefined for fewer than two threads with turns. Threads are drawn again with
 * replacement, each with both runs' values, so that turns of a thread and answers to a question stay together (Davison and
 * Hinkley 1997, 3.8; Field and Welsh 2007, "Bootstrapping Clustered Data"). Where only a few threads changed, the bootstrap
 * sees too few of them to know their chance: take `signFlipTest` beside it.
 */
export function bootstrapShares(
  clusters: Iterable<PairedCluster>,
  { random, replicates = 2000, level = 0.05 }: BootstrapOptions,
): BootstrapVerdict | undefined {
  const filled = [...clusters].filter(({ turns }) => turns > 0)
  const count = filled.length
  if (count < 2) return undefined
  const turns = Float64Array.from(filled, (one) => one.turns)
  const gains = Float64Array.from(filled, (one) => one.candidate - one.baseline)
  const draw = (): number => {
    let [gain, drawn] = [0, 0]
    for (let pick = 0; pick < count; pick += 1) {
      const place = Math.floor(random() * count)
      gain += gains[place] ?? 0
      drawn += turns[place] ?? 0
    }
    return gain / drawn
  }
  // Where no thread changed, whatever is drawn shows no change.
  const isStill = gains.every((gain) => gain === 0)
  const drawnAgain = Float64Array.from({ length: replicates }, isStill ? () => 0 : draw)
  return bootstrapVerdict(drawnAgain, count - 1, level)
}

/** Of candidate minus baseline; `low` and `high` are infinite where the clusters are too few to bound it. */
export interface BootstrapVerdict extends Interval {
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
export function bootstrapVerdict(replicates: Float64Array, degrees: number, level: number): BootstrapVerdict {
  const sorted = Float64Array.from(replicates).sort()
  const shrunk = Math.sqrt(degrees / (degrees + 1))
  const tail = normalBelow(-studentQuantile(level, degrees) / shrunk)
  const rank = Math.floor(Number((tail * (sorted.length + 1)).toFixed(9)))
  return {
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
