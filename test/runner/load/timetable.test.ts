// When threads arrive: stages and ramps against arithmetic, Poisson against its distribution.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Stage } from '../../../src/domain/load.ts'
import { createArrivalRate, createTimetable } from '../../../src/runner/load/timetable.ts'
import { seededRandom } from '../../../src/stats/random.ts'

const stage = (seconds: number, from: number, to = from): Stage => ({ durationMs: seconds * 1000, from, to })

function moments(stages: Stage[], arrivals: 'constant' | 'poisson' = 'constant', seed = 1): number[] {
  const timetable = createTimetable(stages, arrivals, seededRandom(seed))
  const all: number[] = []
  for (let one = timetable.next(); one !== undefined; one = timetable.next()) all.push(one)
  return all
}

describe('a constant rate', () => {
  test.each([
    [1, 60],
    [50, 60],
    [500, 20],
    [2000, 10],
    [1000 / 3600, 3600],
    [1 / 3, 3],
  ])('of %d a second for %d s is that many, each in its place', (rate, seconds) => {
    const all = moments([stage(seconds, rate)])
    expect(all).toHaveLength(Math.round(rate * seconds))
    const misses = all.map((moment, i) => Math.abs(moment - (i * 1000) / rate))
    expect(misses.reduce((most, miss) => Math.max(most, miss), 0)).toBeLessThan(1e-6)
  })

  test('two short ones are one long one', () => {
    expect(moments([stage(1, 7), stage(2, 7)])).toEqual(
      moments([stage(3, 7)]).map((one) => expect.closeTo(one, 9) as number),
    )
  })
})

describe('a ramp', () => {
  // The integral of a rate from 0 to 10/s within 10 s is t² / 2: thread i arrives at the root of 2 i seconds.
  test('from nothing', () => {
    const all = moments([stage(10, 0, 10)])
    expect(all).toHaveLength(50)
    for (const [i, moment] of all.entries()) expect(moment).toBeCloseTo(1000 * Math.sqrt(2 * i), 6)
  })

  // That of a rate from 10/s to 0 is 10 t - t² / 2.
  test('to nothing', () => {
    const all = moments([stage(10, 10, 0)])
    expect(all).toHaveLength(50)
    for (const [i, moment] of all.entries())
      expect(moment).toBeCloseTo(1000 * (10 - Math.sqrt(100 - 2 * i)), 6)
  })

  test('as the help says: 2/s to 5/s in 30 s, then 5/s for a minute, are 105 and 300', () => {
    const all = moments([stage(30, 2, 5), stage(60, 5)])
    expect([all.filter((one) => one < 30_000).length, all.length]).toEqual([105, 405])
  })

  test('a stretch without arrivals is passed over', () => {
    expect(moments([stage(2, 1), stage(100, 0), stage(2, 1)])).toEqual([0, 1000, 102_000, 103_000])
  })

  test('nothing at all', () => {
    expect(moments([stage(10, 0)])).toEqual([])
    expect(moments([stage(10, 0)], 'poisson')).toEqual([])
  })
})

const perSecond = fc.nat(50_000).map((thousandths) => thousandths / 1000)
const stages = fc.array(
  fc.record({
    durationMs: fc.integer({ min: 1, max: 20_000 }),
    from: perSecond,
    to: perSecond,
  }),
  { minLength: 1, maxLength: 4 },
)

/** The integral of the rate up to a moment: what `momentOf` inverts, worked out the other way. */
function arrivedBy(moment: number, all: readonly Stage[]): number {
  let [area, start] = [0, 0]
  for (const { durationMs, from, to } of all) {
    const inside = Math.max(0, Math.min(moment - start, durationMs))
    area += ((from + (from + ((to - from) * inside) / durationMs)) / 2) * (inside / 1000)
    start += durationMs
  }
  return area
}

describe('laws', () => {
  test('the moment of an area is where the integral reaches it, and moments never go back', () => {
    fc.assert(
      fc.property(
        stages,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }),
        (all, shares) => {
          const rate = createArrivalRate(all)
          const areas = shares.map((share) => share * rate.expected).sort((a, b) => a - b)
          let before = 0
          for (const area of areas.filter((one) => one < rate.expected)) {
            const moment = rate.momentOf(area)
            expect(moment).toBeGreaterThanOrEqual(before)
            expect(moment).toBeLessThanOrEqual(rate.durationMs)
            expect(Math.abs(arrivedBy(moment, all) - area)).toBeLessThan(1e-6 * Math.max(1, area))
            before = moment
          }
        },
      ),
    )
  })

  test('constant arrivals are as many as the integral says; every kind repeats with its seed', () => {
    fc.assert(
      fc.property(
        stages,
        fc.constantFrom('constant' as const, 'poisson' as const),
        fc.nat(),
        (all, kind, seed) => {
          const once = moments(all, kind, seed)
          expect(moments(all, kind, seed)).toEqual(once)
          if (kind === 'constant')
            expect(Math.abs(once.length - arrivedBy(Infinity, all))).toBeLessThanOrEqual(1)
          expect(once).toEqual([...once].sort((a, b) => a - b))
        },
      ),
      { numRuns: 60 },
    )
  })
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

/** Sum of (seen - expected)² / expected. */
const chiSquare = (seen: readonly number[], expected: readonly number[]): number =>
  seen.reduce((sum, count, i) => sum + (count - (expected[i] ?? 0)) ** 2 / (expected[i] ?? 1), 0)

// Critical values at a level of 0.1 %: a right program fails each with that chance for a seed chosen blindly.
/** Kolmogorov's limit for large samples, sqrt(-ln(0.001 / 2) / 2), over the root of the sample's size. */
const ksCritical = (size: number): number => 1.9495 / Math.sqrt(size)
/** Upper 0.1 % points of chi-square: 9 degrees of freedom 27.877; 19: 43.820 (Abramowitz and Stegun, table 26.8). */
const CHI9 = 27.877
const CHI19 = 43.82

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
    // Independent: the gap after a long one is no longer than that after a short one. Deciles of each, 20,000 in all.
    const median = Math.LN2 / rate
    const after = gaps.slice(1).filter((_, i) => (gaps[i] ?? 0) > median)
    expect(distance(after, (gap) => 1 - Math.exp(-rate * gap))).toBeLessThan(ksCritical(after.length))
    const deciles = gaps.reduce((counts, gap) => {
      const place = Math.min(9, Math.floor(10 * (1 - Math.exp(-rate * gap))))
      counts[place] = (counts[place] ?? 0) + 1
      return counts
    }, Array<number>(10).fill(0))
    expect(chiSquare(deciles, Array(10).fill(gaps.length / 10))).toBeLessThan(CHI9)
    // The number of arrivals is Poisson, too: within 3.3 of its standard deviations.
    expect(Math.abs(all.length - rate * seconds)).toBeLessThan(3.3 * Math.sqrt(rate * seconds))
  })

  test('on a ramp from 0 to 40/s the arrivals thicken as the integral does', () => {
    const seconds = 1000
    const all = moments([stage(seconds, 0, 40)], 'poisson', 11)
    // Given their number, moments are independent with distribution (t / T)².
    expect(distance(all, (moment) => (moment / 1000 / seconds) ** 2)).toBeLessThan(ksCritical(all.length))
    const twentieths = all.reduce((counts, moment) => {
      const place = Math.floor(20 * (moment / 1000 / seconds) ** 2)
      counts[place] = (counts[place] ?? 0) + 1
      return counts
    }, Array<number>(20).fill(0))
    expect(chiSquare(twentieths, Array(20).fill(all.length / 20))).toBeLessThan(CHI19)
  })

  test('other seeds are other timetables', () => {
    expect(moments([stage(10, 5)], 'poisson', 1)).not.toEqual(moments([stage(10, 5)], 'poisson', 2))
  })
})
