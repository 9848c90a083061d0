// Durations in a histogram: as exact as they say, and what others read in them.
import fc from 'fast-check'
import { decodeFromCompressedBase64 } from 'hdr-histogram-js'
import { expect, test } from 'vitest'
import {
  createDurations,
  type Durations,
  encodeDurations,
  latencyOf,
  percentileOf,
  recordDuration,
} from '../../../src/analysis/load/durations.ts'
import { mean, nearestRank, sortSamples } from '../../../src/stats/quantile.ts'

/** Whole microseconds in milliseconds, from one to nearly a day. */
const duration = fc
  .tuple(fc.integer({ min: 0, max: 35 }), fc.double({ min: 1, max: 2, noNaN: true, maxExcluded: true }))
  .map(([power, part]) => Math.floor(2 ** power * part) / 1000)
const samples = fc.array(duration, { minLength: 1, maxLength: 200 })

function durationsOf(values: readonly number[], digits: 2 | 3 = 3): Durations {
  const durations = createDurations(digits)
  for (const value of values) recordDuration(durations, value)
  return durations
}

test.each([
  [3, 1 / 1024],
  [2, 1 / 128],
] as const)('a percentile of %i digits is the exact one, or above it by a bin at most', (digits, width) => {
  fc.assert(
    fc.property(samples, fc.constantFrom(50, 90, 95, 99, 100), (values, percent) => {
      const exact = nearestRank(sortSamples(values), percent / 100) ?? NaN
      const found = percentileOf(durationsOf(values, digits), percent) ?? NaN
      expect(found).toBeGreaterThanOrEqual(exact - 1e-9)
      expect(found).toBeLessThanOrEqual(exact * (1 + width) + 1e-9)
      expect(found).toBeLessThanOrEqual(Math.max(...values) + 1e-9)
    }),
  )
})

test('maximum, mean and count are exact', () => {
  fc.assert(
    fc.property(samples, (values) => {
      const { max, mean: average, count } = latencyOf(durationsOf(values))
      expect([max, count]).toEqual([Math.max(...values), values.length])
      expect(average).toBeCloseTo(mean(sortSamples(values)) ?? NaN, 2)
    }),
  )
})

test('nothing has no percentile; before 0 is 0; beyond a day is a day', () => {
  const none = { p50: null, p90: null, p95: null, p99: null, max: null, mean: null, count: 0 }
  expect(latencyOf(createDurations())).toEqual(none)
  expect(latencyOf(durationsOf([-5]))).toMatchObject({ p50: 0, max: 0, mean: 0 })
  expect(latencyOf(durationsOf([100_000_000])).max).toBe(86_400_000)
})

test('histograms of two tests add up to the histogram of both', () => {
  fc.assert(
    fc.property(samples, samples, (some, others) => {
      const read = (values: readonly number[]) =>
        decodeFromCompressedBase64(encodeDurations(durationsOf(values)), 64)
      const [sum, other, both] = [read(some), read(others), read([...some, ...others])]
      sum.add(other)
      expect(sum.totalCount).toBe(some.length + others.length)
      for (const percent of [1, 50, 95, 99.9, 100])
        expect(sum.getValueAtPercentile(percent)).toBe(both.getValueAtPercentile(percent))
    }),
    { numRuns: 30 },
  )
})
