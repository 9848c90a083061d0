// The smallest drop of a share that a gate over paired turns detects.
import { shareVariance } from './intervals.ts'
import { bisect, normalQuantile } from './distributions.ts'
import type { PairedCluster } from './paired-bootstrap.ts'

export interface PairedGate {
  /** Counts independent pairs for this drop: the number of threads of one turn, or `effectivePairs`. */
  readonly pairs: (drop: number) => number
  /** This share of pairs differs without a drop, 0 to 1, in either direction. */
  readonly discordance: number
  /** The two-sided exact McNemar test has this level. */
  readonly alpha: number
  /** The gate also requires a loss above this share, 0 to 1. */
  readonly margin: number
}

const Z80 = normalQuantile(0.8)

/**
 * The smallest drop (a share) that test and margin detect with 80 % power. Undefined if they would not detect
 * the loss of everything. The drop takes whole pairs, as a deleted article does. Each other pair differs by
 * chance, in either direction equally. Normal approximation with a continuity correction of one pair (Connor
 * 1987, "Sample Size for Testing Differences in Proportions for the Paired-Sample Design"). The exact power
 * at that drop is 78 % or more.
 */
export function smallestDrop({ pairs, discordance, alpha, margin }: PairedGate): number | undefined {
  const z = normalQuantile(1 - alpha / 2)
  const isDetected = (drop: number): boolean => {
    const count = pairs(drop)
    // The tolerance keeps floating point from losing a pair.
    const lost = Math.floor(drop * count + 1e-9)
    const byChance = discordance * (count - lost)
    // The net loss that 80 % of cases reach.
    const net = lost - Z80 * Math.sqrt(byChance) - 1
    return net + 1e-9 >= Math.max(margin * count, z * Math.sqrt(lost + byChance))
  }
  if (!isDetected(1)) return undefined
  const isClose = (low: number, high: number): boolean => high - low <= 2 ** -30
  return bisect([0, 1], (drop) => !isDetected(drop), isClose)[1]
}

/**
 * Effective number of independent pairs for detecting a `drop` (a share) that takes whole threads: pairs ÷
 * the design effect of their changes (Kish 1965, Survey Sampling), at most the number of pairs. Pairs that
 * change anyway (the share `discordance`) have the threads' own variance. It includes one thread that lost
 * and one that gained half its turns: otherwise almost no changes would show almost no variance. Pairs that
 * the drop takes count by thread: mᵢ with variance mᵢ². Undefined for fewer than two threads with turns.
 */
export function effectivePairs(
  clusters: Iterable<PairedCluster>,
  discordance: number,
): ((drop: number) => number) | undefined {
  const nonEmpty = [...clusters].filter(({ turns }) => turns > 0)
  if (nonEmpty.length < 2) return undefined
  const pairs = nonEmpty.reduce((sum, cluster) => sum + cluster.turns, 0)
  const noise = designEffect(nonEmpty, discordance)
  // The design effect of losing whole threads: Σmᵢ² ÷ Σmᵢ with mᵢ the baseline's successes.
  const losses = nonEmpty.reduce((sum, cluster) => sum + cluster.baseline, 0)
  const squares = nonEmpty.reduce((sum, cluster) => sum + cluster.baseline ** 2, 0)
  const loss = losses === 0 ? 1 : Math.max(1, squares / losses)
  return (drop) =>
    discordance + drop === 0
      ? pairs / noise
      : (pairs * (discordance + drop)) / (discordance * noise + drop * loss)
}

/** Divides the variance of the threads' changes by that of as many independent pairs; at least 1. */
function designEffect(nonEmpty: readonly PairedCluster[], discordance: number): number {
  const pairs = nonEmpty.reduce((sum, cluster) => sum + cluster.turns, 0)
  const changes = nonEmpty.map((cluster) => ({
    successes: cluster.candidate - cluster.baseline,
    trials: cluster.turns,
  }))
  const mean = pairs / nonEmpty.length
  const all = [...changes, ...[mean / 2, -mean / 2].map((successes) => ({ successes, trials: mean }))]
  const share = all.reduce((sum, cluster) => sum + cluster.successes, 0) / (pairs + 2 * mean)
  // The two added threads differ in half their turns.
  const differing = (discordance * pairs + mean) / (pairs + 2 * mean)
  const independent = (differing - share ** 2) / (pairs + 2 * mean)
  return Math.max(1, shareVariance(all) / independent)
}
