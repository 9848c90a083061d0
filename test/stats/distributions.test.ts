// The distributions against printed tables, plain sums and laws: normal, Student t (and with them the incomplete beta).
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalBelow, normalQuantile, studentQuantile, studentTails } from '../../src/stats/distributions.ts'

// Abramowitz and Stegun, table 26.1.
test.each([
  [0, 0.5],
  [0.5, 0.6914624613],
  [1, 0.8413447461],
  [1.96, 0.9750021049],
  [3, 0.998650102],
  [-2, 0.0227501319],
])('below %d lies %d', (z, share) => {
  expect(normalBelow(z)).toBeCloseTo(share, 10)
})

test.each([
  [0.975, 1.959963985],
  [0.8, 0.841621234],
  [0.0005, -3.290526731],
])('the quantile of %d is %d', (share, z) => {
  expect(normalQuantile(share)).toBeCloseTo(z, 8)
})

test('the quantile undoes it, and far out there is nothing', () => {
  fc.assert(
    fc.property(fc.double({ min: -5, max: 5, noNaN: true }), (z) => {
      expect(normalQuantile(normalBelow(z))).toBeCloseTo(z, 7)
    }),
  )
  expect([normalBelow(-40), normalBelow(40)]).toEqual([0, 1])
})

// Abramowitz and Stegun, table 26.10; two-sided.
test.each([
  [0.05, 1, 12.706],
  [0.05, 2, 4.303],
  [0.05, 3, 3.182],
  [0.05, 5, 2.571],
  [0.05, 10, 2.228],
  [0.05, 20, 2.086],
  [0.05, 30, 2.042],
  [0.05, 120, 1.98],
  [0.01, 1, 63.657],
  [0.01, 10, 3.169],
  [0.1, 4, 2.132],
  [0.5, 7, 0.711],
])('a tail of %d with %i degrees begins at %d', (tails, degrees, t) => {
  expect(studentQuantile(tails, degrees)).toBeCloseTo(t, 3)
})

test('the quantile undoes the tails, and nears the normal one', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.001, max: 0.9, noNaN: true }),
      fc.double({ min: 1, max: 500, noNaN: true }),
      (tails, degrees) => {
        expect(studentTails(studentQuantile(tails, degrees), degrees)).toBeCloseTo(tails, 9)
      },
    ),
  )
  expect(studentQuantile(0.05, 1e7)).toBeCloseTo(1.95996, 4)
})
