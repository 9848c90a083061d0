// Protects the histograms of load.json: values at their bounds, and adding histograms up. recorded/load covers their precision.
import fc from 'fast-check'
import { decodeFromCompressedBase64 } from 'hdr-histogram-js'
import { expect, test } from 'vitest'
import { createLoadDurations } from '../../../src/analysis/load/durations.ts'
import { makeReply } from '../../support/recorded.ts'

/** Milliseconds in whole microseconds, from one microsecond to almost a day. */
const duration = fc
  .tuple(fc.integer({ min: 0, max: 35 }), fc.double({ min: 1, max: 2, noNaN: true, maxExcluded: true }))
  .map(([power, part]) => Math.floor(2 ** power * part) / 1000)
const samples = fc.array(duration, { minLength: 1, maxLength: 200 })

function durationsOf(values: readonly number[]) {
  const durations = createLoadDurations()
  const record = {
    kind: 'result',
    at: 0,
    attempt: 1,
    waitMs: 0,
    serviceMs: 0,
    result: makeReply('MODEL'),
  } as const
  for (const lagMs of values) durations.add({ ...record, lagMs })
  return durations
}
const latencyOf = (values: readonly number[]) => durationsOf(values).latencies().sendLagMs

test('an empty histogram has no percentiles; negative values are 0; values above a day are a day', () => {
  const none = { p50: null, p90: null, p95: null, p99: null, max: null, mean: null, count: 0 }
  expect(latencyOf([])).toEqual(none)
  expect(latencyOf([-5])).toMatchObject({ p50: 0, max: 0, mean: 0 })
  expect(latencyOf([100_000_000]).max).toBe(86_400_000)
})

test('the sum of two histograms is the histogram of all values', () => {
  fc.assert(
    fc.property(samples, samples, (some, others) => {
      const read = (values: readonly number[]) =>
        decodeFromCompressedBase64(durationsOf(values).encoded().sendLagMs, 64)
      const [sum, other, both] = [read(some), read(others), read([...some, ...others])]
      sum.add(other)
      expect(sum.totalCount).toBe(some.length + others.length)
      for (const percent of [1, 50, 95, 99.9, 100])
        expect(sum.getValueAtPercentile(percent)).toBe(both.getValueAtPercentile(percent))
    }),
    { numRuns: 30 },
  )
})
