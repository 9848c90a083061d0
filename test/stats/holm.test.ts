// Holm's adjusted p-values against R's and worked examples, and their laws.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { holm } from '../../src/stats/paired-tests.ts'

test.each([
  // p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.05), "holm") of R.
  [
    [0.01, 0.02, 0.03, 0.04, 0.05],
    [0.05, 0.08, 0.09, 0.09, 0.09],
  ],
  // The example of the textbooks, four hypotheses: only the first and the last are rejected at 0.05.
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
])('%j becomes %j', (pValues, adjusted) => {
  expect(holm(pValues)).toEqual(adjusted.map((p) => expect.closeTo(p, 12) as number))
})

test('never lowers, keeps the order, and lies between the plain value and Bonferroni', () => {
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
