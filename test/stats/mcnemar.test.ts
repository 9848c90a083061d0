// The exact McNemar test against published values and laws.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exactMcNemar } from '../../src/stats/paired-tests.ts'

// Twice the tails .031, .016 and .033 of the sign test in Siegel 1956, Nonparametric Statistics, table D; 1 as R says.
test.each([
  [6, 0, 0.03125],
  [5, 0, 0.0625],
  [9, 2, 0.0654],
  [2, 9, 0.0654],
  [1, 0, 1],
  [0, 0, 1],
  [7, 7, 1],
  [8, 7, 1],
])('%i lost and %i gained: %d', (lost, gained, p) => {
  expect(exactMcNemar(lost, gained)).toBeCloseTo(p, 4)
})

test('approval of the prime minister (Agresti 1990, table 10.1), as R exact2x2 prints it', () => {
  expect(exactMcNemar(150, 86)).toBeCloseTo(3.716e-5, 8)
})

test('mirrors, lies above 0 and up to 1, and falls the more one-sided the same flips are', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(300), (gained, more) => {
      const lost = gained + more
      const p = exactMcNemar(lost, gained)
      expect(p).toBe(exactMcNemar(gained, lost))
      expect(p).toBeGreaterThan(0)
      expect(p).toBeLessThanOrEqual(1)
      expect(exactMcNemar(lost + 1, gained - 1)).toBeLessThan(p)
    }),
  )
})
