// When threads arrive: stages and ramps against the integral of their rate, Poisson against its distribution.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Stage } from '../../../src/domain/load.ts'
import { createTimetable } from '../../../src/runner/load/timetable.ts'
import { seededRandom } from '../../../src/stats/random.ts'

const stage = (seconds: number, from: number, to = from): Stage => ({ durationMs: seconds * 1000, from, to })

function moments(stages: Stage[], arrivals: 'constant' | 'poisson' = 'constant', seed = 1): number[] {
  const timetable = createTimetable(stages, arrivals, seededRandom(seed))
  const all: number[] = []
  for (let one = timetable.next(); one !== undefined; one = timetable.next()) all.push(one)
  return all
}

test.each([
  [1, 60],
  [50, 60],
  [500, 20],
  [2000, 10],
  [1000 / 3600, 3600],
  [1 / 3, 3],
])('%d a second for %d s are that many', (rate, seconds) => {
  expect(moments([stage(seconds, rate)])).toHaveLength(Math.round(rate * seconds))
})

test('as the help says: 2/s to 5/s in 30 s, then 5/s for a minute, are 105 and 300', () => {
  const all = moments([stage(30, 2, 5), stage(60, 5)])
  expect([all.filter((one) => one < 30_000).length, all.length]).toEqual([105, 405])
})

test('a time without arrivals is passed over', () => {
  expect(moments([stage(2, 1), stage(100, 0), stage(2, 1)])).toEqual([0, 1000, 102_000, 103_000])
  expect(moments([stage(10, 0)])).toEqual([])
  expect(moments([stage(10, 0)], 'poisson')).toEqual([])
})

/** The integral of the rate up to a moment. */
function arrivedBy(moment: number, all: readonly Stage[]): number {
  let [area, start] = [0, 0]
  for (const { durationMs, from, to } of all) {
    const inside = Math.max(0, Math.min(moment - start, durationMs))
    area += ((from + (from + ((to - from) * inside) / durationMs)) / 2) * (inside / 1000)
    start += durationMs
  }
  return area
}

test('law: arrival i comes when the integral of the rate reaches i; every kind repeats with its seed', () => {
  const perSecond = fc.nat(50_000).map((thousandths) => thousandths / 1000)
  const anyStage = fc.record({
    durationMs: fc.integer({ min: 1, max: 20_000 }),
    from: perSecond,
    to: perSecond,
  })
  const kinds = fc.constantFrom('constant' as const, 'poisson' as const)
  fc.assert(
    fc.property(fc.array(anyStage, { minLength: 1, maxLength: 4 }), kinds, fc.nat(), (all, kind, seed) => {
      const once = moments(all, kind, seed)
      expect(moments(all, kind, seed)).toEqual(once)
      expect(once).toEqual(once.toSorted((a, b) => a - b))
      if (kind === 'poisson') return
      expect(Math.abs(once.length - arrivedBy(Infinity, all))).toBeLessThanOrEqual(1)
      const misses = once.map((moment, place) => Math.abs(arrivedBy(moment, all) - place))
      expect(Math.max(0, ...misses)).toBeLessThan(1e-6 * Math.max(1, once.length))
    }),
  )
})

/** Kolmogorov and Smirnov's distance of a sample from a distribution function. */
function distance(sample: readonly number[], cumulative: (value: number) => number): number {
  const sorted = [...sample].sort((a, b) => a - b)
  return sorted.reduce((most, value, i) => {
    const expected = cumulative(value)
    return Math.max(
      most,
      Math.abs(expected - i / sorted.length),
      Math.abs((i + 1) / sorted.length - expected),
    )
  }, 0)
}

/**
 * Critical value at a level of 0.1 %: a right program fails with that chance for a seed chosen blindly.
 * Kolmogorov's limit for large samples, sqrt(-ln(0.001 / 2) / 2), over the root of the sample's size.
 */
const ksCritical = (size: number): number => 1.9495 / Math.sqrt(size)

describe('Poisson', () => {
  test.each([
    [1, 20_000, 7],
    [50, 400, 8],
    [500, 40, 9],
    [2000, 10, 10],
  ])('%d a second: gaps are exponential, counts a second are Poisson', (rate, seconds, seed) => {
    const all = moments([stage(seconds, rate)], 'poisson', seed)
    const gaps = all.map((moment, i) => (moment - (all[i - 1] ?? 0)) / 1000)
    expect(distance(gaps, (gap) => 1 - Math.exp(-rate * gap))).toBeLessThan(ksCritical(gaps.length))
    // Independent: the gap after a long one is no longer than that after a short one.
    const median = Math.LN2 / rate
    const after = gaps.slice(1).filter((_, i) => (gaps[i] ?? 0) > median)
    expect(distance(after, (gap) => 1 - Math.exp(-rate * gap))).toBeLessThan(ksCritical(after.length))
    // The number of arrivals is Poisson, too: within 3.3 of its standard deviations.
    expect(Math.abs(all.length - rate * seconds)).toBeLessThan(3.3 * Math.sqrt(rate * seconds))
  })

  test('on a ramp from 0 to 40/s the arrivals thicken as the integral does', () => {
    const seconds = 1000
    const all = moments([stage(seconds, 0, 40)], 'poisson', 11)
    // Given their number, moments are independent with distribution (t / T)².
    expect(distance(all, (moment) => (moment / 1000 / seconds) ** 2)).toBeLessThan(ksCritical(all.length))
  })

  test('other seeds are other timetables', () => {
    expect(moments([stage(10, 5)], 'poisson', 1)).not.toEqual(moments([stage(10, 5)], 'poisson', 2))
  })
})
