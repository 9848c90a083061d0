// The power of the exact paired gate, without approximation.
import { logGamma } from './beta.ts'
import { binomialLowerTail } from './binomial.ts'
import { exactMcNemar } from './mcnemar.ts'
import { type PairedGate } from './paired-power.ts'

/**
 * Chance, 0 to 1, that the exact McNemar test and the margin see a true drop of a share over independent pairs (a
 * whole number; a few thousand at most, since each count of discordant pairs is gone through). Power given that
 * count, averaged over its binomial chance, as for the unconditional power of exact tests in Duffy 1984, "Asymptotic
 * and Exact Power for the McNemar Test and its Analogue with R Controls per Case". `exact` of the gate is moot.
 */
export function exactPowerToSee(drop: number, { pairs, discordance, alpha, margin = 0 }: PairedGate): number {
  const differing = Math.max(discordance, drop)
  const losing = (differing + drop) / (2 * differing)
  let power = 0
  for (let discordant = 1; discordant <= pairs; discordant += 1) {
    const chance = binomialChance(discordant, pairs, differing)
    if (chance < 1e-12) continue
    const lost = fewestLosses(discordant, alpha, margin * pairs)
    if (lost <= discordant) power += chance * binomialLowerTail(discordant - lost, discordant, 1 - losing)
  }
  return power
}

/** The fewest losses among so many discordant pairs that the gate sees; one more than there are where it sees none. */
function fewestLosses(discordant: number, alpha: number, beyond: number): number {
  let [low, high] = [Math.floor(discordant / 2), discordant + 1]
  while (high - low > 1) {
    const lost = Math.floor((low + high) / 2)
    const gained = discordant - lost
    // A net loss of just the margin is not beyond it, whatever floating point makes of the product.
    if (lost - gained > beyond + 1e-9 && exactMcNemar(lost, gained) <= alpha) high = lost
    else low = lost
  }
  return high
}

function binomialChance(count: number, trials: number, chance: number): number {
  if (chance === 0 || chance === 1) return Number(count === trials * chance)
  const ways = logGamma(trials + 1) - logGamma(count + 1) - logGamma(trials - count + 1)
  return Math.exp(ways + count * Math.log(chance) + (trials - count) * Math.log1p(-chance))
}
