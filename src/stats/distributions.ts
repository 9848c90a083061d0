// Distributions: normal, Student t, beta.

/**
 * P(Z ≤ z) is right to 15 decimals (not digits: beyond ±8 it is 0 or 1). Source: the series of Marsaglia
 * 2004, "Evaluating the Normal Distribution".
 */
export function normalCdf(z: number): number {
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

/** Narrows the range to where `isBelow` turns false, until `isClose` or no number is in between. */
export function bisect(
  [low, high]: readonly [number, number],
  isBelow: (value: number) => boolean,
  isClose: (low: number, high: number) => boolean,
): readonly [number, number] {
  const middle = (low + high) / 2
  if (isClose(low, high) || middle <= low || middle >= high) return [low, high]
  return bisect(isBelow(middle) ? [middle, high] : [low, middle], isBelow, isClose)
}

/** Finds the z with P(Z < z) = `share` (0 < share < 1); within ±8. */
export function normalQuantile(share: number): number {
  const isClose = (low: number, high: number): boolean => high - low <= 2 ** -56
  const [low, high] = bisect([-8, 8], (z) => normalCdf(z) < share, isClose)
  return (low + high) / 2
}

/** Gives P(|T| > t) for `degrees` of freedom. Source: Abramowitz and Stegun 26.7.1, as I_x(ν/2, 1/2). */
export function studentTails(t: number, degrees: number): number {
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5)
}

/** Finds the t with P(|T| > t) = `tails` (0 < tails < 1), to 12 digits. `degrees` ≥ 1. */
export function studentQuantile(tails: number, degrees: number): number {
  const isBelow = (t: number): boolean => studentTails(t, degrees) > tails
  let bound = 1
  while (isBelow(bound)) bound *= 2
  const [low, high] = bisect([0, bound], isBelow, (from, to) => to - from <= 1e-12 * to)
  return (low + high) / 2
}

/** g = 7 and nine terms give about 15 digits. Source: Lanczos 1964; coefficients of Godfrey 2001. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const

function logGamma(x: number): number {
  // The reflection formula stays accurate near 0.
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  const shifted = x - 1
  const [first, ...rest] = LANCZOS
  const series = rest.reduce<number>((sum, term, index) => sum + term / (shifted + index + 1), first)
  const base = shifted + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(series)
}

/**
 * Gives I_x(a, b) for a, b > 0 and 0 ≤ x ≤ 1. Source: continued fraction DLMF 8.17.22, evaluated by the
 * modified Lentz method (Press et al., Numerical Recipes, 6.4).
 */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  // The fraction converges fast only for x below this bound.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const front = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x) - Math.log(a),
  )
  return Math.min(1, front * continuedFraction(x, a, b))
}

const TINY = 1e-300
const awayFromZero = (value: number): number => (Math.abs(value) < TINY ? TINY : value)

function continuedFraction(x: number, a: number, b: number): number {
  let upper = 1
  let lower = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1))
  let value = lower
  for (let m = 1; m <= 10_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    lower = 1 / awayFromZero(1 + even * lower)
    upper = awayFromZero(1 + even / upper)
    value *= lower * upper
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    lower = 1 / awayFromZero(1 + odd * lower)
    upper = awayFromZero(1 + odd / upper)
    value *= lower * upper
    if (Math.abs(lower * upper - 1) < 1e-15) break
  }
  return value
}
