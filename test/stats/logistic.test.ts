import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitLogistic, probabilityOf } from '../../src/stats/logistic.ts'

/** Motor Trend's cars of 1974 (Henderson and Velleman 1981; R's `mtcars`): weight, horsepower, manual. */
const CARS = `
  2.62 110 1, 2.875 110 1, 2.32 93 1, 3.215 110 0, 3.44 175 0, 3.46 105 0, 3.57 245 0, 3.19 62 0, 3.15
  95 0, 3.44 123 0, 3.44 123 0, 4.07 180 0, 3.73 180 0, 3.78 180 0, 5.25 205 0, 5.424 215 0, 5.345 230
  0, 2.2 66 1, 1.615 52 1, 1.835 65 1, 2.465 97 0, 3.52 150 0, 3.435 150 0, 3.84 245 0, 3.845 175 0,
  1.935 66 1, 2.14 91 1, 1.513 113 1, 3.17 264 1, 2.77 175 1, 3.57 335 1, 2.78 109 1`
  .split(',')
  .map((car) => car.trim().split(/\s+/).map(Number) as [weight: number, power: number, manual: number])
/** Hours of study and whether the exam was passed (Wikipedia, "Logistic regression"). */
const HOURS = [
  0.5, 0.75, 1, 1.25, 1.5, 1.75, 1.75, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 4, 4.25, 4.5, 4.75, 5, 5.5,
]
const PASSED = [0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1]

const isManual = CARS.map(([, , manual]) => manual === 1)

test.each([
  ['glm(am ~ wt)', CARS.map(([weight]) => [weight]), isManual, [12.04, -4.024]],
  ['glm(am ~ hp + wt)', CARS.map(([wt, hp]) => [hp, wt]), isManual, [18.8663, 0.03626, -8.08348]],
  ['hours of study', HOURS.map((hours) => [hours]), PASSED.map(Boolean), [-4.0777, 1.5046]],
])('%s: the published coefficients', (_, rows, outcomes, expected) => {
  const { intercept, coefficients } = fitLogistic(rows, outcomes)
  for (const [index, value] of [intercept, ...coefficients].entries())
    expect(Math.abs(value / (expected[index] ?? 0) - 1)).toBeLessThan(2e-4)
})

test('a fit known before the rows holds where it is strong, and gives way where it is weak', () => {
  const rows = CARS.map(([weight]) => [weight])
  const published = fitLogistic(rows, isManual)
  const fit = { intercept: 5, coefficients: [-2] }
  const slopeWith = (strength: number) => fitLogistic(rows, isManual, { fit, strength }).coefficients[0]
  expect(slopeWith(1e9)).toBeCloseTo(-2, 6)
  expect(slopeWith(1e-9)).toBeCloseTo(published.coefficients[0] ?? NaN, 5)
  // A column of ones is a second intercept: both move alike.
  const before = { fit: { intercept: 0, coefficients: [-1] }, strength: 1 }
  const same = fitLogistic([[1], [1]], [true, true], before)
  expect(same.intercept).toBeGreaterThan(0.1)
  expect(same.coefficients[0]).toBeCloseTo(same.intercept - 1, 8)
})

/** Rows of three columns with any outcomes: separable ones, columns of equal values and collinear ones are common. */
const anyRows = fc.array(
  fc.record({
    row: fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 0, max: 2 }), fc.constantFrom(0, 1)),
    outcome: fc.boolean(),
  }),
  { minLength: 1, maxLength: 30 },
)
const anyScale = fc.integer({ min: -6, max: 6 }).map((power) => 10 ** power)
const anyColumns = fc.constantFrom<(row: readonly number[]) => number[]>(
  (row) => [...row],
  ([a = 0, b = 0]) => [a, b, 4],
  ([a = 0, b = 0]) => [a, b, 2 * a - b],
  ([a = 0, b = 0]) => [a, b, 1000 + a],
)

test('a fit does not depend on the unit of a column, whatever the rows', () => {
  fc.assert(
    fc.property(
      anyRows,
      anyColumns,
      fc.tuple(anyScale, anyScale, anyScale),
      fc.constantFrom(undefined, 1e-3, 1),
      (drawn, columnsOf, scales, strength) => {
        const rows = drawn.map(({ row }) => columnsOf(row))
        const scaled = rows.map((row) => row.map((value, index) => value * (scales[index] ?? 1)))
        const outcomes = drawn.map(({ outcome }) => outcome)
        const prior = { intercept: 1, coefficients: [-2, 0.5, 3] }
        const options = (coefficients: readonly number[]) =>
          strength && { strength, fit: { ...prior, coefficients } }
        const fit = fitLogistic(rows, outcomes, options(prior.coefficients))
        const other = fitLogistic(
          scaled,
          outcomes,
          options(prior.coefficients.map((value, index) => value / (scales[index] ?? 1))),
        )
        for (const [index, row] of rows.entries())
          expect(probabilityOf(other, scaled[index] ?? [])).toBeCloseTo(probabilityOf(fit, row), 5)
      },
    ),
  )
})

test('separated outcomes have a finite fit that separates them', () => {
  const rows = [[1], [2], [3], [4]]
  const { intercept, coefficients } = fitLogistic(rows, [false, false, true, true])
  expect([intercept, ...coefficients].every(Number.isFinite)).toBe(true)
  const found = rows.map((row) => probabilityOf({ intercept, coefficients }, row))
  expect(found.map((probability) => Math.round(1e3 * probability) / 1e3)).toEqual([0, 0, 1, 1])
  const all = fitLogistic(rows, [true, true, true, true])
  expect(probabilityOf(all, [2.5])).toBeCloseTo(1, 6)
})
