// Protects the tests of shares, which resample whole threads: whether a difference is more than noise, and which drop is detectable.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareShares, detectableDrop, type SharedValue } from '../../../src/analysis/comparing/totals.ts'

const SEED = 1
const value = (thread: string, baseline: number, candidate: number): SharedValue => ({
  thread,
  baseline,
  candidate,
})
/** Single-turn threads: that many lost, gained and unchanged. */
const singles = (lost: number, gained: number, kept: number): SharedValue[] =>
  [
    ...Array.from({ length: lost }, () => [1, 0] as const),
    ...Array.from({ length: gained }, () => [0, 1] as const),
    ...Array.from({ length: kept }, () => [1, 1] as const),
  ].map(([before, after], place) => value(`t${place}`, before, after))

test('a thread that loses five turns counts as one event', () => {
  const together = [
    ...Array.from({ length: 5 }, () => value('one', 1, 0)),
    ...Array.from({ length: 45 }, (_, place) => value(`t${Math.floor(place / 5)}`, 1, 1)),
  ]
  expect(compareShares(together, SEED)).toMatchObject({
    questions: 50,
    p: 1,
    test: 'sign flips over threads',
  })
})

test('without questions there is no difference, and below five threads no interval', () => {
  expect(compareShares([], SEED)).toMatchObject({ questions: 0, baseline: null, difference: null, p: null })
  const [four, five] = [compareShares(singles(2, 0, 2), SEED), compareShares(singles(2, 0, 3), SEED)]
  expect(four.difference).toEqual({ estimate: -0.5, low: null, high: null })
  expect(four.p).toBeCloseTo(0.5, 12)
  expect(typeof five.difference?.low).toBe('number')
})

test('an interval excludes 0 only if p is significant', () => {
  // Five of forty threads lost one of two turns: significant by the bootstrap alone, but not by the exact test.
  const values = Array.from({ length: 80 }, (_, place) =>
    value(`t${Math.floor(place / 2)}`, 1, place < 10 && place % 2 === 0 ? 0 : 1),
  )
  const review = compareShares(values, SEED)
  expect(review.p).toBeCloseTo(0.0625, 12)
  expect(review.difference?.high).toBe(0)
})

test('swapped runs have the opposite difference and the same p', () => {
  const share = fc.constantFrom(0, 1 / 3, 0.5, 1)
  const thread = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
  const values = fc.array(fc.record({ thread, baseline: share, candidate: share }), {
    minLength: 1,
    maxLength: 20,
  })
  fc.assert(
    fc.property(values, (shared) => {
      const there = compareShares(shared, SEED)
      const swapped = shared.map(({ thread: of, baseline, candidate }) => value(of, candidate, baseline))
      const back = compareShares(swapped, SEED)
      expect(there.difference?.estimate).toBeCloseTo(-(back.difference?.estimate ?? 0), 12)
      expect(there.p ?? -1).toBeCloseTo(back.p ?? -1, 6)
      // If the interval excludes 0, p must be significant, too.
      if ((there.p ?? 1) <= 0.05) return
      expect(there.difference?.low ?? -Infinity).toBeLessThanOrEqual(0)
      expect(there.difference?.high ?? Infinity).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: 50 },
  )
})

test('the detectable drop shrinks with more questions, is null for too few, and stays above the margin', () => {
  const over = (questions: number, margin = 0.02): number | null =>
    detectableDrop(singles(0, 0, questions), 0.025, margin)
  // Exact McNemar at 2.5 %: seven losses are significant, six are not.
  expect(over(100)).toBeCloseTo(0.068, 2)
  expect([over(1), over(5)]).toEqual([null, null])
  expect(over(1000) ?? 0).toBeGreaterThan(0.02)
  expect(over(1000) ?? 1).toBeLessThan(over(300) ?? 0)
  expect(over(300, 0.1) ?? 0).toBeGreaterThan(0.1)
})
