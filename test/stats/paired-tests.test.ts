// Protects the tests of pairs (McNemar, sign flips, Holm): against published values, sums over all signs, and properties.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { holm, signFlipTest } from '../../src/stats/paired-tests.ts'

/** For threads that each change by one, sign flips are McNemar's exact test. */
const exactMcNemar = (lost: number, gained: number): number =>
  signFlipTest([...Array.from({ length: lost }, () => -1), ...Array.from({ length: gained }, () => 1)])

// Twice the tails .031, .016 and .033 of the sign test in Siegel 1956, Nonparametric Statistics, table D; 1 as in R.
test.each([
  [6, 0, 0.03125],
  [5, 0, 0.0625],
  [9, 2, 0.0654],
  [2, 9, 0.0654],
  [1, 0, 1],
  [0, 0, 1],
  [7, 7, 1],
  [8, 7, 1],
])('McNemar of %i lost and %i gained: %d', (lost, gained, p) => {
  expect(exactMcNemar(lost, gained)).toBeCloseTo(p, 4)
})

test('McNemar of the approval of the prime minister (Agresti 1990, table 10.1), as R exact2x2 prints it', () => {
  expect(exactMcNemar(150, 86)).toBeCloseTo(3.716e-5, 8)
})

test("sign flips of Darwin's maize: 1,726 of the 32,768 sums are as large (Fisher 1935, The Design of Experiments, 21)", () => {
  const changes = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
  expect(signFlipTest(changes)).toBeCloseTo(1726 / 32768, 12)
})

test('sign flips give the share of all signs whose sum is as far from 0', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -6, max: 6 }), { maxLength: 9 }), (changes) => {
      let sums = [0]
      for (const change of changes) sums = sums.flatMap((sum) => [sum - change, sum + change])
      const observed = Math.abs(changes.reduce((sum, change) => sum + change, 0))
      const far = sums.filter((sum) => Math.abs(sum) >= observed).length
      expect(signFlipTest(changes)).toBeCloseTo(far / sums.length, 12)
    }),
  )
})

test('sign flips of 10,000 changed threads agree with the normal approximation', () => {
  const changes = Array.from({ length: 10_000 }, (_, place) => (place < 5098 ? 1 : -1))
  // z = (196 − 1) / √10,000 = 1.95, with a continuity correction of half a step of two.
  expect(signFlipTest(changes)).toBeCloseTo(0.0512, 4)
})

test.each([
  // p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.05), "holm") of R.
  [
    [0.01, 0.02, 0.03, 0.04, 0.05],
    [0.05, 0.08, 0.09, 0.09, 0.09],
  ],
  // The textbook example of four hypotheses: only the first and the last are rejected at 0.05.
  [
    [0.01, 0.04, 0.03, 0.005],
    [0.03, 0.06, 0.06, 0.02],
  ],
  [
    [0.9, 0.8],
    [1, 1],
  ],
  [[0.2], [0.2]],
  [[], []],
])('Holm of %j is %j', (pValues, adjusted) => {
  expect(holm(pValues)).toEqual(adjusted.map((p) => expect.closeTo(p, 12) as number))
})

test('Holm never lowers a value, keeps the order, and stays below Bonferroni', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 }), (pValues) => {
      const adjusted = holm(pValues)
      for (const [place, p] of pValues.entries()) {
        expect(adjusted[place]).toBeGreaterThanOrEqual(p)
        expect(adjusted[place]).toBeLessThanOrEqual(Math.min(1, p * pValues.length))
        for (const [other, q] of pValues.entries())
          if (p < q) expect(adjusted[place]).toBeLessThanOrEqual(adjusted[other] ?? 0)
      }
    }),
  )
})
