// The power of the exact paired gate, without approximation.
import { binomialChances, binomialLowerTail } from './binomial.ts'
import { exactMcNemar } from './mcnemar.ts'
import { type PairedGate } from './paired-power.ts'

/**
 * The chance, 0 to 1, that the exact McNemar test and the margin see a drop of a share (0 to 1; 0.05 is five points) over
 * so many independent pairs, a whole number. The drop takes that part of the pairs, as articles that vanish do; each of
 * the others differs by chance, as likely one way as the other. So losses come on top of what differs anyway, and add
 * nothing to chance but their own number. Power given the count that differs by chance, averaged over its binomial
 * chance, as for the unconditional power of exact tests in Duffy 1984, "Asymptotic and Exact Power for the McNemar Test
 * and its Analogue with R Controls per Case". A drop of no whole number of pairs lies between its neighbours.
 *
 * A function, as it keeps the test's bounds from one drop to the next.
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
