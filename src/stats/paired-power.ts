// How small a drop of a share a gate over paired turns would see.
import { shareVariance } from './cluster-variance.ts'
import { normalBelow, normalQuantile } from './normal.ts'
import { type PairedCluster } from './paired-bootstrap.ts'

export interface PairedGate {
  /** Independent pairs: one turn a thread, or `effectivePairs`. */
  readonly pairs: number
  /** Share of pairs that differ, 0 to 1, whichever way; a larger drop makes its own. */
  readonly discordance: number
  /** Level of the two-sided test, of which a drop takes one side. */
  readonly alpha: number
  /** A share, 0 to 1: the gate also asks for an estimate beyond it. */
  readonly margin?: number
  /** Whether the test is exact, and so cuts a step further out than the plain one (Edwards 1948's correction). */
  readonly exact?: boolean
}

/**
 * Chance, 0 to 1, that the gate sees a true drop of a share (0 to 1; 0.05 is five points). Normal approximation of
 * McNemar's test, unconditional: the estimate scatters with √((d − δ²)/n), the test cuts it at z·√(d/n) (Miettinen
 * 1968, "The Matched Pairs Design in the Case of All-or-None Responses"; Connett, Smith and McHugh 1987, "Sample
 * Size and Power for Pair-Matched Case-Control Studies"); with a margin at that, where it is the larger.
 * With fewer than some twenty discordant pairs it is rough: `exact` then leans to promising too little.
 */
export function powerToSee(drop: number, gate: PairedGate): number {
  const { pairs, discordance, alpha, margin = 0, exact = false } = gate
  const differing = Math.max(discordance, drop)
  const step = exact ? 1 / pairs : 0
  const cut = Math.max(margin + step / 2, normalQuantile(1 - alpha / 2) * Math.sqrt(differing / pairs) + step)
  const scatter = Math.sqrt((differing - drop ** 2) / pairs)
  if (scatter === 0) return drop > cut ? 1 : 0
  return normalBelow((drop - cut) / scatter)
}

/**
 * The smallest drop (a share) that the gate sees with `power`; undefined where it would not even see the loss of all.
 * `chanceToSee` is `powerToSee` or, for few independent pairs, `exactPowerToSee`.
 */
export function smallestDrop(gate: PairedGate, power = 0.8, chanceToSee = powerToSee): number | undefined {
  if (chanceToSee(1, gate) < power) return undefined
  let [low, high] = [0, 1]
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2
    if (chanceToSee(middle, gate) < power) low = middle
    else high = middle
  }
  return high
}

/**
 * How many independent pairs those of the threads are worth: the pairs ÷ the design effect of their changes (Kish
 * 1965, Survey Sampling), never more than there are. The threads' variance is taken with one thread that lost and one
 * that gained half its turns added, lest next to no changes show next to no variance. Undefined for fewer than two
 * threads with turns.
 */
export function effectivePairs(clusters: Iterable<PairedCluster>, discordance: number): number | undefined {
  const filled = [...clusters].filter(({ turns }) => turns > 0)
  if (filled.length < 2) return undefined
  const pairs = filled.reduce((sum, one) => sum + one.turns, 0)
  const changes = filled.map((one) => ({ successes: one.candidate - one.baseline, trials: one.turns }))
  const mean = pairs / filled.length
  const more = [
    { successes: mean / 2, trials: mean },
    { successes: -mean / 2, trials: mean },
  ]
  const all = [...changes, ...more]
  const share = all.reduce((sum, one) => sum + one.successes, 0) / (pairs + 2 * mean)
  // The two threads added differ in half their turns.
  const differing = (discordance * pairs + mean) / (pairs + 2 * mean)
  const independent = (differing - share ** 2) / (pairs + 2 * mean)
  return pairs / Math.max(1, shareVariance(all) / independent)
}
