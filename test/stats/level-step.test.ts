// Steps of a level: where they are, that chance rarely makes one, and that nothing is found in nothing.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findLevelStep } from '../../src/stats/level-step.ts'
import { seededRandom } from '../../src/stats/random.ts'

test('the place and the levels of a plain step', () => {
  const step = findLevelStep([...Array<number>(7).fill(0.9), ...Array<number>(5).fill(0.8)], 1)
  expect(step).toMatchObject({ from: 7 })
  expect(step?.before).toBeCloseTo(0.9, 12)
  expect(step?.since).toBeCloseTo(0.8, 12)
  // Of the 792 orders of seven and five, two show as clear a step: this one and its mirror.
  expect(step?.p).toBeCloseTo(2 / 792, 2)
})

test.each([
  ['too few values', [1, 1, 0]],
  ['equal values', [0.3, 0.3, 0.3, 0.3, 0.3, 0.3]],
  ['values that differ by rounding alone', [0.1 + 0.2, 0.3, 0.1 + 0.2, 0.3, 0.3]],
])('%s: none', (_, values) => {
  expect(findLevelStep(values, 1)).toBeUndefined()
})

test('a single value at the end is no level: the step before it holds for two', () => {
  expect(findLevelStep([1, 1, 1, 1, 1, 1, 1, 0], 1)?.from).toBe(6)
})

describe('by law', () => {
  const values = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 4, maxLength: 20 })

  test('the same values give the same step; backwards it lies at the mirrored place, if there is one place', () => {
    fc.assert(
      fc.property(values, (counts) => {
        const step = findLevelStep(counts, 7)
        expect(findLevelStep(counts, 7)).toEqual(step)
        if (step === undefined) return
        expect(step.from).toBeGreaterThanOrEqual(2)
        expect(counts.length - step.from).toBeGreaterThanOrEqual(2)
        expect(step.p).toBeGreaterThan(0)
        expect(step.p).toBeLessThanOrEqual(1)
        const back = findLevelStep([...counts].reverse(), 7)
        // As clear from either side, wherever several splits are.
        const size = Math.abs(step.since - step.before) * Math.sqrt(step.from * (counts.length - step.from))
        const other =
          back === undefined
            ? 0
            : Math.abs(back.since - back.before) * Math.sqrt(back.from * (counts.length - back.from))
        expect(other).toBeCloseTo(size, 9)
      }),
      { numRuns: 20 },
    )
  })

  test('values of one level have a step of p ≤ 0.1 in a tenth of all series at most', () => {
    const random = seededRandom(11)
    const series = 150
    let found = 0
    for (let one = 0; one < series; one += 1) {
      const level = Array.from({ length: 12 }, () => Math.round(10 * random()))
      if ((findLevelStep(level, one)?.p ?? 1) <= 0.1) found += 1
    }
    // Three standard deviations over the level.
    expect(found / series).toBeLessThanOrEqual(0.1 + 3 * Math.sqrt((0.1 * 0.9) / series))
  })
})
