// Logistic regression, by Newton's method, with an optional prior.

/** Log odds are a linear function: the intercept, plus each value times its coefficient. */
export interface Logistic {
  readonly intercept: number
  readonly coefficients: readonly number[]
}

export interface Prior {
  /** No rows would change this fit; without it, all coefficients are 0 and the intercept is free. */
  readonly fit?: Logistic
  readonly strength: number
}

const NO_PRIOR: Prior = { strength: 0 }
/** Holds columns that separate the outcomes at finite log odds, and moves other fits by less than 1e-8. */
const MIN_STRENGTH = 1e-10
const MAX_STEPS = 100
const TOLERANCE = 1e-10

/**
 * Fits the log odds of an outcome as a linear function of a row's values: the most probable one after the
 * rows, under a normal prior, or that of maximum likelihood without one. A prior of strength λ around the
 * coefficients β⁰ subtracts λ/2 · Σ (sⱼ(βⱼ − β⁰ⱼ))², where sⱼ is the root mean square of column j, so that
 * units do not matter, and 1 for the intercept. A step that makes the fit worse is halved: Newton's method
 * alone runs away where most probabilities are near 0 and 1. All rows have equally many values. Throws
 * without rows.
 *
 * Source: iteratively reweighted least squares, McCullagh and Nelder 1989, "Generalized Linear Models", 2.5;
 * the penalty: le Cessie and van Houwelingen 1992, "Ridge Estimators in Logistic Regression"; the halving:
 * Marschner 2011, "glm2: Fitting Generalized Linear Models with Convergence Problems".
 */
export function fitLogistic(
  rows: readonly (readonly number[])[],
  outcomes: readonly boolean[],
  { fit, strength }: Prior = NO_PRIOR,
): Logistic {
  const columns = rows[0]?.length
  if (columns === undefined) throw new Error('a fit needs rows')
  const meanSquareOf = (column: number): number =>
    rows.reduce((sum, row) => sum + (row[column] ?? 0) ** 2, 0) / rows.length
  const scales = [1, ...Array.from({ length: columns }, (_, column) => Math.sqrt(meanSquareOf(column)) || 1)]
  const before = fit === undefined ? scales.map(() => 0) : [fit.intercept, ...fit.coefficients]
  const penalized: Penalized = {
    rows: rows.map((row) => [1, ...row].map((value, index) => value / (scales[index] ?? 1))),
    outcomes,
    center: before.map((value, index) => value * (scales[index] ?? 1)),
    penalties: scales.map((_, index) =>
      index === 0 && fit === undefined ? MIN_STRENGTH : Math.max(MIN_STRENGTH, strength),
    ),
  }
  // From 0, where every row has its full weight; from a prior far off, none may have any.
  let fitted = scales.map(() => 0)
  let likelihood = likelihoodOf(penalized, fitted)
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const { gradient, curvature } = derivatives(penalized, fitted)
    let change = solve(curvature, gradient)
    const tryChange = () => {
      const next = fitted.map((value, index) => value + (change[index] ?? 0))
      return { next, found: likelihoodOf(penalized, next) }
    }
    // Near the maximum, rounding makes a good step look worse.
    const enough = likelihood - 1e-12 * Math.abs(likelihood)
    let tried = tryChange()
    while (!(tried.found >= enough) && Math.max(...change.map(Math.abs)) > TOLERANCE) {
      change = change.map((value) => value / 2)
      tried = tryChange()
    }
    fitted = tried.next
    likelihood = tried.found
    if (Math.max(...change.map(Math.abs)) <= TOLERANCE) break
  }
  const [intercept = 0, ...coefficients] = fitted.map((value, index) => value / (scales[index] ?? 1))
  return { intercept, coefficients }
}

export const logOddsOf = ({ intercept, coefficients }: Logistic, row: readonly number[]): number =>
  coefficients.reduce((sum, coefficient, index) => sum + coefficient * (row[index] ?? 0), intercept)

export const probabilityOf = (line: Logistic, row: readonly number[]): number =>
  1 / (1 + Math.exp(-logOddsOf(line, row)))

/** A row begins with a 1 for the intercept, and each column has a mean square of 1. */
interface Penalized {
  readonly rows: readonly (readonly number[])[]
  readonly outcomes: readonly boolean[]
  readonly center: readonly number[]
  readonly penalties: readonly number[]
}

const oddsOf = (row: readonly number[], fitted: readonly number[]): number =>
  row.reduce((sum, value, index) => sum + value * (fitted[index] ?? 0), 0)

function likelihoodOf({ rows, outcomes, center, penalties }: Penalized, fitted: readonly number[]): number {
  const penalty = fitted.reduce(
    (sum, value, index) => sum + ((penalties[index] ?? 0) / 2) * (value - (center[index] ?? 0)) ** 2,
    0,
  )
  return rows.reduce((sum, row, number) => {
    const odds = outcomes[number] === true ? oddsOf(row, fitted) : -oddsOf(row, fitted)
    return sum - Math.max(0, -odds) - Math.log1p(Math.exp(-Math.abs(odds)))
  }, -penalty)
}

function derivatives({ rows, outcomes, center, penalties }: Penalized, fitted: readonly number[]) {
  const gradient = fitted.map((value, index) => (penalties[index] ?? 0) * ((center[index] ?? 0) - value))
  const curvature = fitted.map((_, index) =>
    fitted.map((__, other) => (index === other ? (penalties[index] ?? 0) : 0)),
  )
  for (const [number, row] of rows.entries()) {
    const expected = 1 / (1 + Math.exp(-oddsOf(row, fitted)))
    const residual = (outcomes[number] === true ? 1 : 0) - expected
    const weight = expected * (1 - expected)
    for (const [index, value] of row.entries()) {
      gradient[index] = (gradient[index] ?? 0) + value * residual
      const line = curvature[index] ?? []
      for (const [other, second] of row.entries()) line[other] = (line[other] ?? 0) + weight * value * second
    }
  }
  return { gradient, curvature }
}

/**
 * Solves a symmetric positive system by Gauss's elimination with pivots. A column without a usable pivot,
 * such as one of equal values, gets 0.
 */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const lines = matrix.map((line, index) => [...line, right[index] ?? 0])
  const size = right.length
  for (let column = 0; column < size; column += 1) {
    let best = column
    for (let line = column + 1; line < size; line += 1)
      if (Math.abs(lines[line]?.[column] ?? 0) > Math.abs(lines[best]?.[column] ?? 0)) best = line
    const pivot = lines[best] ?? []
    lines[best] = lines[column] ?? []
    lines[column] = pivot
    const value = pivot[column] ?? 0
    if (Math.abs(value) < Number.EPSILON) {
      lines[column] = pivot.map((_, index) => (index === column ? 1 : 0))
      continue
    }
    for (const [line, other] of lines.entries()) {
      const factor = (other[column] ?? 0) / value
      if (line === column || factor === 0) continue
      for (let index = column; index <= size; index += 1)
        other[index] = (other[index] ?? 0) - factor * (pivot[index] ?? 0)
    }
  }
  return lines.map((line, index) => (line[size] ?? 0) / (line[index] ?? 1))
}
