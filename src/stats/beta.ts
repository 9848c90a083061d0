// The regularised incomplete beta function, from which binomial and Student t probabilities follow.

/** Lanczos approximation, g = 7, nine terms: about 15 digits. Source: Lanczos 1964; coefficients of Godfrey 2001. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const

/** Natural logarithm of the gamma function, for x > 0. */
export function logGamma(x: number): number {
  // The reflection keeps the accuracy near 0.
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  const shifted = x - 1
  const [first, ...rest] = LANCZOS
  const series = rest.reduce<number>((sum, term, place) => sum + term / (shifted + place + 1), first)
  const base = shifted + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(series)
}

/**
 * I_x(a, b) for a, b > 0 and 0 ≤ x ≤ 1. Source: continued fraction DLMF 8.17.22, evaluated by the modified Lentz
 * method (Press et al., Numerical Recipes, 6.4).
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  // The fraction converges fast only on this side.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const front = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x) - Math.log(a),
  )
  return Math.min(1, front * continuedFraction(x, a, b))
}

const TINY = 1e-300
const keepOff = (value: number): number => (Math.abs(value) < TINY ? TINY : value)

function continuedFraction(x: number, a: number, b: number): number {
  let upper = 1
  let lower = 1 / keepOff(1 - ((a + b) * x) / (a + 1))
  let value = lower
  for (let m = 1; m <= 10_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    lower = 1 / keepOff(1 + even * lower)
    upper = keepOff(1 + even / upper)
    value *= lower * upper
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    lower = 1 / keepOff(1 + odd * lower)
    upper = keepOff(1 + odd / upper)
    value *= lower * upper
    if (Math.abs(lower * upper - 1) < 1e-15) break
  }
  return value
}
