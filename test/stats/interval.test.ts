// Wilson intervals against published values.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wilson } from '../../src/stats/interval.ts'

// Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3 (Wilson).
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('%i of %i: %d to %d', (successes, trials, low, high) => {
  const interval = wilson(successes, trials)
  expect(interval?.low).toBeCloseTo(low, 4)
  expect(interval?.high).toBeCloseTo(high, 4)
})

test('nothing tried has no interval', () => {
  expect(wilson(0, 0)).toBeUndefined()
})

test('holds the share, lies within [0, 1], and mirrors', () => {
  fc.assert(
    fc.property(fc.nat(5000), fc.nat(5000), (successes, failures) => {
      const trials = successes + failures
      fc.pre(trials > 0)
      const interval = wilson(successes, trials)
      const mirrored = wilson(failures, trials)
      if (interval === undefined || mirrored === undefined) throw new Error('an interval is missing')
      expect(interval.low).toBeGreaterThanOrEqual(0)
      expect(interval.high).toBeLessThanOrEqual(1)
      expect(interval.low).toBeLessThanOrEqual(successes / trials)
      expect(interval.high).toBeGreaterThanOrEqual(successes / trials)
      expect(interval.low).toBeCloseTo(1 - mirrored.high, 12)
    }),
  )
})
