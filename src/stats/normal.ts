// The standard normal distribution.

/** P(Z ≤ z), to 15 decimals (not digits: far tails are 0 or 1). Source: the series of Marsaglia 2004, "Evaluating the Normal Distribution". */
export function normalBelow(z: number): number {
  if (z < -8) return 0
  if (z > 8) return 1
  let [sum, term, before] = [z, z, 0]
  for (let odd = 3; sum !== before; odd += 2) {
    before = sum
    term *= (z * z) / odd
    sum += term
  }
  return 0.5 + sum * Math.exp(-0.5 * z * z - 0.5 * Math.log(2 * Math.PI))
}

/** The z that Z stays below with probability `share` (0 < share < 1); within ±8. By halving. */
export function normalQuantile(share: number): number {
  let [low, high] = [-8, 8]
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2
    if (normalBelow(middle) < share) low = middle
    else high = middle
  }
  return (low + high) / 2
}
