// The binomial distribution: its tail, and the chance of each count.
import { incompleteBeta, logGamma } from './beta.ts'

/**
 * P(X ≤ successes) of `trials` with chance `chance` each: how surprising so few are. Source: DLMF 8.17.5,
 * I_{1−p}(n − x, x + 1). Counts need not be whole: an effective number of trials serves too (Korn and Graubard
 * 1998, "Confidence Intervals for Proportions with Small Expected Number of Positive Counts").
 */
export function binomialLowerTail(successes: number, trials: number, chance: number): number {
  if (successes >= trials) return 1
  return incompleteBeta(1 - chance, trials - successes, successes + 1)
}

/** Each count of more than next to no chance, with that chance. */
export function* binomialChances(trials: number, chance: number): Generator<[number, number]> {
  if (chance === 0 || chance === 1) {
    yield [trials * chance, 1]
    return
  }
  // Beyond lies less than 2·e^−50 (Bernstein's inequality).
  const reach = 10 * Math.sqrt(trials * chance * (1 - chance)) + 34
  const [least, most] = [Math.ceil(trials * chance - reach), Math.floor(trials * chance + reach)]
  for (let count = Math.max(0, least); count <= Math.min(trials, most); count += 1) {
    const ways = logGamma(trials + 1) - logGamma(count + 1) - logGamma(trials - count + 1)
    yield [count, Math.exp(ways + count * Math.log(chance) + (trials - count) * Math.log1p(-chance))]
  }
}
