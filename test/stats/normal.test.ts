// The normal distribution against the printed table.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalBelow, normalQuantile } from '../../src/stats/distributions.ts'

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
