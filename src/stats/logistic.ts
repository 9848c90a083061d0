// Logistic regression, by Newton's method, with an optional prior.

/** Log odds as a linear function: the intercept, plus each value times its coefficient. */
export interface Logistic {
  readonly intercept: number
  /** One for each column. */
  readonly coefficients: readonly number[]
}

/** What is known before the rows are seen. */
export interface Prior {
  /** The fit that no rows would change; without it, all coefficients are 0 and the intercept is free. */
  readonly fit?: Logistic
  /** How much it weighs against the rows. */
  readonly strength: number
}

const NO_PRIOR: Prior = { strength: 0 }
const MAX_STEPS = 50
const TOLERANCE = 1e-10

/**
 * The log odds of an outcome as a linear function of a row's values: the most probable one after the rows,
 * under a normal prior, or that of maximum likelihood without one. A prior of strength λ around the
 * coefficients β⁰ subtracts λ/2 · Σ (sⱼ(βⱼ − β⁰ⱼ))², where sⱼ is the root mean square of column j, so that
 * units do not matter, and 1 for the intercept. Without it, columns that separate the outcomes have no finite
 * fit: the steps end after fifty. All rows have equally many values. Throws without rows.
 *
 * Source: iteratively reweighted least squares, McCullagh and Nelder 1989, "Generalized Linear Models", 2.5;
 * the penalty: le Cessie and van Houwelingen 1992, "Ridge Estimators in Logistic Regression".
 */
export function fitLogistic(
  rows: readonly (readonly number[])[],
  outcomes: readonly boolean[],
  { fit, strength }: Prior = NO_PRIOR,
): Logistic {
  const columns = rows[0]?.length
  if (columns === undefined) throw new Error('a fit needs rows')
  const penalties = [
    fit === undefined ? 0 : strength,
    ...Array.from({ length: columns }, (_, column) => strength * meanSquareOf(rows, column)),
  ]
  const center = fit === undefined ? penalties.map(() => 0) : [fit.intercept, ...fit.coefficients]
  let fitted = center
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const { gradient, curvature } = derivatives(rows, outcomes, fitted, { penalties, center })
    const change = solve(curvature, gradient)
    fitted = fitted.map((value, index) => value + (change[index] ?? 0))
    if (Math.max(...change.map(Math.abs)) < TOLERANCE) break
  }
  const [intercept = 0, ...coefficients] = fitted
  return { intercept, coefficients }
}

/** The probability of the outcome for a row. */
export function probabilityOf({ intercept, coefficients }: Logistic, row: readonly number[]): number {
  const odds = coefficients.reduce(
    (sum, coefficient, index) => sum + coefficient * (row[index] ?? 0),
    intercept,
  )
  return 1 / (1 + Math.exp(-odds))
}

function derivatives(
  rows: readonly (readonly number[])[],
  outcomes: readonly boolean[],
  fitted: readonly number[],
  { penalties, center }: { readonly penalties: readonly number[]; readonly center: readonly number[] },
): { readonly gradient: number[]; readonly curvature: number[][] } {
  const gradient = fitted.map((value, index) => (penalties[index] ?? 0) * ((center[index] ?? 0) - value))
  const curvature = fitted.map((_, index) =>
    fitted.map((__, other) => (index === other ? (penalties[index] ?? 0) : 0)),
  )
  const [intercept = 0, ...coefficients] = fitted
  for (const [number, row] of rows.entries()) {
    const expected = probabilityOf({ intercept, coefficients }, row)
    const residual = (outcomes[number] === true ? 1 : 0) - expected
    const weight = expected * (1 - expected)
    const values = [1, ...row]
    for (const [index, value] of values.entries()) {
      gradient[index] = (gradient[index] ?? 0) + value * residual
      const line = curvature[index] ?? []
      for (const [other, second] of values.entries())
        line[other] = (line[other] ?? 0) + weight * value * second
    }
  }
  return { gradient, curvature }
}

const meanSquareOf = (rows: readonly (readonly number[])[], column: number): number =>
  rows.reduce((sum, row) => sum + (row[column] ?? 0) ** 2, 0) / rows.length

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
