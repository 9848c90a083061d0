// How small a drop of a share a gate over paired turns detects, and how many pairs threads are worth.
import { shareVariance } from './intervals.ts'
import { halve, normalQuantile } from './distributions.ts'
import type { PairedCluster } from './paired-bootstrap.ts'

export interface PairedGate {
  /** Independent pairs, by the size of the drop: one turn a thread, or `effectivePairs`. */
  readonly pairs: (drop: number) => number
  /** Share of pairs that differ without any drop, 0 to 1, whichever way. */
  readonly discordance: number
  /** Of the two-sided exact McNemar test. */
  readonly alpha: number
  /** A share, 0 to 1: the gate also asks for a loss beyond it. */
  readonly margin: number
}

const Z80 = normalQuantile(0.8)

/**
 * The smallest drop (a share) that test and margin detect 4 times in 5; undefined where not even the loss of all is detected. The drop
 * takes whole pairs, as articles that vanish do; each of the others differs by chance, as likely one way as the other. Normal approximation
 * with a continuity correction of one pair (Connor 1987, "Sample Size for Testing Differences in Proportions for the Paired-Sample Design");
 * the exact power at that drop is 78 % or more.
 */
export function smallestDrop({ pairs, discordance, alpha, margin }: PairedGate): number | undefined {
  const z = normalQuantile(1 - alpha / 2)
  const isDetected = (drop: number): boolean => {
    const count = pairs(drop)
    // Floating point must not take a pair from the product.
    const lost = Math.floor(drop * count + 1e-9)
    const byChance = discordance * (count - lost)
    // What is lost on balance 4 times in 5.
    const net = lost - Z80 * Math.sqrt(byChance) - 1
    return net + 1e-9 >= Math.max(margin * count, z * Math.sqrt(lost + byChance))
  }
  if (!isDetected(1)) return undefined
  const isClose = (low: number, high: number): boolean => high - low <= 2 ** -30
  return halve([0, 1], (drop) => !isDetected(drop), isClose)[1]
}

/**
 * How many independent pairs those of the threads are worth for seeing a `drop` (a share) that takes whole threads:
 * the pairs ÷ the design effect of their changes (Kish 1965, Survey Sampling), never more than there are. What changes
 * already, the share `discordance` of the pairs, has the threads' own variance, taken with one thread that lost and one
 * that gained half its turns added, lest next to no changes show next to no variance. What the drop takes counts by
 * threads: mᵢ with variance mᵢ². Undefined for fewer than two threads with turns.
 */
export function effectivePairs(
  clusters: Iterable<PairedCluster>,
  discordance: number,
): ((drop: number) => number) | undefined {
  const filled = [...clusters].filter(({ turns }) => turns > 0)
  if (filled.length < 2) return undefined
  const pairs = filled.reduce((sum, one) => sum + one.turns, 0)
  const [noise, loss] = [designEffect(filled, discordance), wholeLoss(filled)]
  return (drop) =>
    discordance + drop === 0
      ? pairs / noise
      : (pairs * (discordance + drop)) / (discordance * noise + drop * loss)
}

/** Variance of the threads' changes ÷ that of as many pairs that change each for itself; 1 at least. */
function designEffect(filled: readonly PairedCluster[], discordance: number): number {
  const pairs = filled.reduce((sum, one) => sum + one.turns, 0)
  const changes = filled.map((one) => ({ successes: one.candidate - one.baseline, trials: one.turns }))
  const mean = pairs / filled.length
  const all = [...changes, ...[mean / 2, -mean / 2].map((successes) => ({ successes, trials: mean }))]
  const share = all.reduce((sum, one) => sum + one.successes, 0) / (pairs + 2 * mean)
  // The two threads added differ in half their turns.
  const differing = (discordance * pairs + mean) / (pairs + 2 * mean)
  const independent = (differing - share ** 2) / (pairs + 2 * mean)
  return Math.max(1, shareVariance(all) / independent)
}

/** Σmᵢ² ÷ Σmᵢ of what threads have to lose, in turns; 1 at least. */
function wholeLoss(filled: readonly PairedCluster[]): number {
  const losses = filled.reduce((sum, one) => sum + one.baseline, 0)
  const squares = filled.reduce((sum, one) => sum + one.baseline ** 2, 0)
  return losses === 0 ? 1 : Math.max(1, squares / losses)
}
