// By how much a share changed between two runs over the same turns, which come in threads.
import { bootstrapVerdict, type Difference } from './bootstrap-verdict.ts'

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
 * Candidate's share − baseline's share, in [−1, 1], over threads drawn independently; undefined for fewer than two
 * threads with turns. Threads are drawn again with replacement, each with both runs' values, so that turns of a
 * thread and answers to a question stay together (Davison and Hinkley 1997, 3.8; Field and Welsh 2007,
 * "Bootstrapping Clustered Data"). Interval and p-value: see `bootstrapVerdict`. Where only a few threads changed,
 * the bootstrap sees too few of them to know their chance: take `signFlipTest` beside it.
 */
export function bootstrapShares(
  clusters: Iterable<PairedCluster>,
  { random, replicates = 2000, level = 0.05 }: BootstrapOptions,
): Difference | undefined {
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
  const sum = (values: Float64Array): number => values.reduce((all, value) => all + value, 0)
  const drawnAgain = new Float64Array(replicates)
  for (let replicate = isStill ? replicates : 0; replicate < replicates; replicate += 1) {
    drawnAgain[replicate] = draw()
  }
  return bootstrapVerdict(drawnAgain, { estimate: sum(gains) / sum(turns), degrees: count - 1, level })
}
