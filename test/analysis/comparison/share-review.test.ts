// Differences of shares over questions in threads, and whether they are more than chance.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { reviewFamily } from '../../../src/analysis/comparison/family-review.ts'
import type { QuestionValues } from '../../../src/analysis/comparison/question-values.ts'
import { reviewShares, wholeChanges } from '../../../src/analysis/comparison/share-review.ts'
import type { ShareReview } from '../../../src/domain/comparison/comparison.ts'

const SEED = 1
const value = (
  thread: string,
  baseline: number,
  candidate: number,
  tags: readonly string[] = [],
): QuestionValues => ({
  id: thread,
  thread,
  tags,
  baseline,
  candidate,
})
/** So many single-turn threads that were lost, gained, kept. */
const singles = (
  lost: number,
  gained: number,
  kept: number,
  tags: readonly string[] = [],
): QuestionValues[] =>
  [
    ...Array.from({ length: lost }, () => [1, 0] as const),
    ...Array.from({ length: gained }, () => [0, 1] as const),
    ...Array.from({ length: kept }, () => [1, 1] as const),
  ].map(([before, after], place) => value(`${tags.join()}${place}`, before, after, tags))

// Published: twice the binomial tail (Siegel 1956, table D).
test.each([
  [6, 0, 0.03125],
  [5, 0, 0.0625],
  [9, 2, 0.0654],
  [0, 0, 1],
])('%i lost and %i gained of single-turn threads: exact McNemar p = %f', (lost, gained, p) => {
  const review = reviewShares(singles(lost, gained, 20), SEED)
  expect(review.p).toBeCloseTo(p, 4)
  expect(review.test).toBe('exact McNemar')
  expect(review.difference?.estimate).toBeCloseTo((gained - lost) / (lost + gained + 20), 12)
})

test('threads of several turns count once: a thread that loses five turns is one event', () => {
  const spread = reviewShares(singles(5, 0, 45), SEED)
  const together = [
    ...Array.from({ length: 5 }, () => value('one', 1, 0)),
    ...Array.from({ length: 45 }, (_, place) => value(`t${Math.floor(place / 5)}`, 1, 1)),
  ]
  const clustered = reviewShares(together, SEED)
  expect(clustered.difference?.estimate).toBe(spread.difference?.estimate)
  expect(clustered.p).toBe(1)
  expect(clustered.test).toBe('bootstrap and sign flips over threads')
  expect(clustered).toMatchObject({ questions: 50, threads: 10 })
})

test('nothing to compare has no difference, and one thread no bounds', () => {
  expect(reviewShares([], SEED)).toMatchObject({
    questions: 0,
    baseline: null,
    difference: null,
    p: null,
  })
  const [one] = [reviewShares([value('a', 1, 0), value('a', 1, 1)], SEED)]
  expect(one.difference).toEqual({ estimate: -0.5, low: null, high: null })
  expect(one.p).toBe(1)
})

describe('by tag', () => {
  test('p is adjusted by Holm over the tags', () => {
    const values = [
      ...singles(6, 0, 10, ['vpn']),
      ...singles(9, 2, 10, ['mail']),
      ...singles(0, 0, 5, ['print']),
    ]
    const { byTag } = reviewFamily(values, SEED)
    // 3 × .03125, then 2 × .0654, then 1.
    expect(byTag['vpn']?.p).toBeCloseTo(0.09375, 5)
    expect(byTag['mail']?.p).toBeCloseTo(0.1309, 4)
    expect(byTag['print']?.p).toBe(1)
    expect(byTag['vpn']?.questions).toBe(16)
  })
  test('a tag may be called like a property of every object', () => {
    const { byTag } = reviewFamily(singles(2, 0, 3, ['__proto__']), SEED)
    expect(Object.keys(byTag)).toEqual(['__proto__'])
  })
})

describe('whole changes', () => {
  test.each([
    [
      [1, -2, 0],
      [1, -2, 0],
    ],
    [
      [0.5, -0.25],
      [2, -1],
    ],
    [
      [1 / 3, -2 / 3, 1],
      [1, -2, 3],
    ],
    [
      [0.5, 1 / 3],
      [3, 2],
    ],
    [[], []],
  ])('%j as %j', (changes, whole) => {
    expect(wholeChanges(changes)).toEqual(whole)
  })
  test('treat both signs alike, whatever the shares', () => {
    const change = fc.double({ min: -3, max: 3, noNaN: true })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const mirrored = wholeChanges(changes.map((one) => -one))
        expect(mirrored.map((one) => 0 - one)).toEqual(wholeChanges(changes).map((one) => one + 0))
      }),
    )
  })
})

/** An interval without 0 says more than noise, and so must p. */
function expectAgreement({ difference, p }: ShareReview): void {
  if ((p ?? 1) <= 0.05) return
  expect(difference?.low ?? -Infinity).toBeLessThanOrEqual(0)
  expect(difference?.high ?? Infinity).toBeGreaterThanOrEqual(0)
}

test('an interval leaves 0 out only where p says so', () => {
  // Five of forty threads lost a turn of two: the bootstrap alone would call it certain, the exact test does not.
  const values = Array.from({ length: 80 }, (_, place) =>
    value(`t${Math.floor(place / 2)}`, 1, place < 10 && place % 2 === 0 ? 0 : 1),
  )
  const review = reviewShares(values, SEED)
  expect(review.p).toBeCloseTo(0.0625, 12)
  expect(review.difference?.high).toBe(0)
  expectAgreement(review)
})

test('swapped runs have the opposite difference and the same p', () => {
  const share = fc.constantFrom(0, 1 / 3, 0.5, 1)
  const values = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), share, share), {
    minLength: 1,
    maxLength: 20,
  })
  fc.assert(
    fc.property(values, (rows) => {
      const there = reviewShares(
        rows.map(([thread, before, after]) => value(thread, before, after)),
        SEED,
      )
      const back = reviewShares(
        rows.map(([thread, before, after]) => value(thread, after, before)),
        SEED,
      )
      expect(there.difference?.estimate).toBeCloseTo(-(back.difference?.estimate ?? 0), 12)
      expect(there.p ?? -1).toBeCloseTo(back.p ?? -1, 6)
      expectAgreement(there)
    }),
    { numRuns: 50 },
  )
})
