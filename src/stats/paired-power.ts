// How small a drop of a share a gate over paired turns would see, and how many pairs threads are worth.
import { shareVariance } from './intervals.ts'
import { binomialChances, binomialLowerTail, halve } from './distributions.ts'
import { exactMcNemar } from './paired-tests.ts'
import type { PairedCluster } from './paired-bootstrap.ts'

export interface PairedGate {
  /** Independent pairs: one turn a thread, or `effectivePairs`. A whole number. */
  readonly pairs: number
  /** Share of pairs that differ without any drop, 0 to 1, whichever way. */
  readonly discordance: number
  /** A share, 0 to 1: the gate also asks for an estimate beyond it. */
  readonly margin?: number
}

/** The smallest drop (a share) of which `chanceToSee` is `power`; undefined where not even the loss of all has it. */
export function smallestDrop(chanceToSee: (drop: number) => number, power = 0.8): number | undefined {
  if (chanceToSee(1) < power) return undefined
  const isClose = (low: number, high: number): boolean => high - low <= 2 ** -30
  return halve([0, 1], (drop) => chanceToSee(drop) < power, isClose)[1]
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

/**
 * The chance that the exact McNemar test and the margin see a drop of a share. The drop takes that part of the pairs, as
 * articles that vanish do; each of the others differs by chance, as likely one way as the other. Power given the count that
 * differs by chance, averaged over its binomial chance, as for the unconditional power of exact tests in Duffy 1984,
 * "Asymptotic and Exact Power for the McNemar Test and its Analogue with R Controls per Case". A drop of no whole number of
 * pairs lies between its neighbours. A function, as it keeps the test's bounds from one drop to the next.
 */
export function exactPowerAt(alpha: number): (drop: number, gate: PairedGate) => number {
  const bounds = new Map<number, number>()
  const boundOf = (discordant: number): number => {
    const bound = bounds.get(discordant) ?? mostGains(discordant, alpha)
    bounds.set(discordant, bound)
    return bound
  }
  const seeing = (lost: number, { pairs, discordance, margin = 0 }: PairedGate): number => {
    let power = 0
    for (const [differing, chance] of binomialChances(pairs - lost, discordance)) {
      const discordant = lost + differing
      // A net loss of just the margin is not beyond it, whatever floating point makes of the product.
      const within = Math.ceil((discordant - margin * pairs - 1e-9) / 2) - 1
      const gains = Math.min(boundOf(discordant), within)
      if (gains >= 0) power += chance * binomialLowerTail(gains, differing, 0.5)
    }
    return power
  }
  return (drop, gate) => {
    const taken = drop * gate.pairs
    const whole = Math.floor(taken + 1e-9)
    const part = Math.max(0, taken - whole)
    const power = seeing(whole, gate)
    return part === 0 ? power : (1 - part) * power + part * seeing(whole + 1, gate)
  }
}

/** The most gains among so many discordant pairs with which the test still sees a loss; −1 where it sees none. */
function mostGains(discordant: number, alpha: number): number {
  let [low, high] = [-1, Math.ceil(discordant / 2)]
  while (high - low > 1) {
    const gained = Math.floor((low + high) / 2)
    if (exactMcNemar(discordant - gained, gained) <= alpha) low = gained
    else high = gained
  }
  return low
}
