// Counts in widening bins: as exact as they say, and the same as the library's.
import fc from 'fast-check'
import { build, decodeFromCompressedBase64 } from 'hdr-histogram-js'
import { describe, expect, test } from 'vitest'
import { encodeHistogram } from '../../../src/analysis/load/encode-histogram.ts'
import { HdrCounts } from '../../../src/analysis/load/hdr-counts.ts'
import { nearestRank, sortSamples } from '../../../src/stats/quantile.ts'

/** Whole microseconds in milliseconds, from one to nearly a day. */
const duration = fc
  .tuple(fc.integer({ min: 0, max: 35 }), fc.double({ min: 1, max: 2, noNaN: true, maxExcluded: true }))
  .map(([power, part]) => Math.floor(2 ** power * part) / 1000)
const samples = fc.array(duration, { minLength: 1, maxLength: 200 })
const countsOf = (values: readonly number[], digits: 2 | 3 = 3): HdrCounts => {
  const counts = new HdrCounts(digits)
  for (const value of values) counts.record(value)
  return counts
}

describe('a percentile', () => {
  test.each([
    [3, 1 / 1024],
    [2, 1 / 128],
  ] as const)('of %i digits is never below the exact one, and above by a bin at most', (digits, width) => {
    fc.assert(
      fc.property(samples, fc.constantFrom(0.5, 0.9, 0.95, 0.99, 1), (values, p) => {
        const exact = nearestRank(sortSamples(values), p) ?? 0
        const found = countsOf(values, digits).at(p) ?? 0
        expect(found).toBeGreaterThanOrEqual(exact - 1e-9)
        expect(found).toBeLessThanOrEqual(exact * (1 + width) + 1e-9)
      }),
      { numRuns: 100 },
    )
  })

  test('is unknown of nothing; longest, mean and count are exact', () => {
    expect(new HdrCounts().latency()).toEqual({
      p50: null,
      p90: null,
      p95: null,
      p99: null,
      max: null,
      mean: null,
      count: 0,
    })
    expect(countsOf([1, 2, 90_000.5]).latency()).toMatchObject({ max: 90_000.5, mean: 30_001.167, count: 3 })
    // A clock that was set back, and a call of two days.
    expect(countsOf([-5]).latency()).toMatchObject({ p50: 0, max: 0, mean: 0, count: 1 })
    expect(countsOf([2 * 86_400_000]).latency()).toMatchObject({ p50: 86_436_216.831, max: 172_800_000 })
  })
})

describe('the histogram as text', () => {
  test('is that of hdr-histogram-js for the same samples, whatever they are', () => {
    fc.assert(
      fc.property(samples, (values) => {
        const theirs = build({
          bitBucketSize: 64,
          highestTrackableValue: 86_400_000_000,
          numberOfSignificantValueDigits: 3,
        })
        for (const value of values) theirs.recordValue(Math.round(value * 1000))
        const counts = countsOf(values)
        const read = decodeFromCompressedBase64(encodeHistogram(counts), 64)
        expect(read.totalCount).toBe(values.length)
        for (const p of [50, 90, 95, 99, 99.9])
          expect(read.getValueAtPercentile(p)).toBe(theirs.getValueAtPercentile(p))
      }),
      { numRuns: 40 },
    )
  })

  test('of two halves added is that of all', () => {
    fc.assert(
      fc.property(samples, samples, (some, others) => {
        const [one, other] = [countsOf(some), countsOf(others)].map((counts) =>
          decodeFromCompressedBase64(encodeHistogram(counts), 64),
        )
        if (one === undefined || other === undefined) throw new Error('two were made')
        one.add(other)
        const all = countsOf([...some, ...others])
        const together = decodeFromCompressedBase64(encodeHistogram(all), 64)
        expect(one.totalCount).toBe(together.totalCount)
        for (const p of [1, 50, 95, 99])
          expect(one.getValueAtPercentile(p)).toBe(together.getValueAtPercentile(p))
        const added = countsOf(some)
        added.add(countsOf(others))
        expect([...added.bins()]).toEqual([...all.bins()])
        expect(added.latency().p95).toBe(all.latency().p95)
      }),
      { numRuns: 40 },
    )
  })
})
