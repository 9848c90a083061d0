// The interval of a difference of shares against published values, and by law.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { differenceInterval } from '../../src/stats/paired-tests.ts'
import { Z95 } from '../../src/stats/interval.ts'

// Newcombe 1998, "Interval Estimation for the Difference Between Independent Proportions", table II, method 10.
test.each([
  [56, 70, 48, 80, 0.0524, 0.3339],
  [9, 10, 3, 10, 0.1705, 0.809],
  [6, 7, 2, 7, 0.0582, 0.8062],
  [5, 56, 0, 29, -0.0381, 0.1926],
  [0, 10, 0, 20, -0.1611, 0.2775],
])('%i of %i less %i of %i: %d to %d', (later, ofLater, earlier, ofEarlier, low, high) => {
  const interval = differenceInterval(
    { share: earlier / ofEarlier, trials: ofEarlier },
    { share: later / ofLater, trials: ofLater },
    Z95,
  )
  expect(interval.low).toBeCloseTo(low, 4)
  expect(interval.high).toBeCloseTo(high, 4)
})

const measured = fc
  .tuple(fc.nat(500), fc.nat(500))
  .filter(([yes, no]) => yes + no > 0)
  .map(([yes, no]) => ({ share: yes / (yes + no), trials: yes + no }))

test('holds the difference, lies within −1 and 1, and turns with its runs', () => {
  fc.assert(
    fc.property(measured, measured, (earlier, later) => {
      const [forth, back] = [differenceInterval(earlier, later, Z95), differenceInterval(later, earlier, Z95)]
      const difference = later.share - earlier.share
      expect(forth.low).toBeLessThanOrEqual(difference)
      expect(forth.high).toBeGreaterThanOrEqual(difference)
      expect(forth.low).toBeGreaterThanOrEqual(-1 - 1e-12)
      expect(forth.high).toBeLessThanOrEqual(1 + 1e-12)
      expect(forth.low).toBeCloseTo(-back.high, 12)
    }),
  )
})
