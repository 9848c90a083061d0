// Nearest-rank percentiles, by hand and by law.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mean, nearestRank, sortSamples } from '../../src/stats/quantile.ts'

// The worked example of the nearest-rank method: 15, 20, 35, 40, 50.
test.each([
  [0.05, 15],
  [0.3, 20],
  [0.4, 20],
  [0.5, 35],
  [1, 50],
])('the %d quantile of 15, 20, 35, 40, 50 is %i', (p, value) => {
  expect(nearestRank(sortSamples([50, 15, 40, 20, 35]), p)).toBe(value)
})

test('1 to 100: the 95th percentile is 95, the 99th is 99', () => {
  const sorted = sortSamples(Array.from({ length: 100 }, (_, place) => place + 1))
  expect([0.5, 0.9, 0.95, 0.99, 1].map((p) => nearestRank(sorted, p))).toEqual([50, 90, 95, 99, 100])
})

test('nothing has no percentile and no mean', () => {
  expect(nearestRank(sortSamples([]), 0.5)).toBeUndefined()
  expect(mean(sortSamples([]))).toBeUndefined()
})

test('at least the share p of samples does not exceed it, and no smaller sample does that', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(1000), { minLength: 1 }),
      fc.integer({ min: 1, max: 100 }),
      (samples, hundredths) => {
        const value = nearestRank(sortSamples(samples), hundredths / 100) ?? Number.NaN
        const upTo = samples.filter((sample) => sample <= value).length
        const below = samples.filter((sample) => sample < value).length
        expect(upTo * 100).toBeGreaterThanOrEqual(hundredths * samples.length)
        expect(below * 100).toBeLessThan(hundredths * samples.length)
      },
    ),
  )
})
