// Protects the intervals of a share: Wilson's as published; over threads by properties and by their real coverage.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clusterInterval, type Interval, wilsonOfShare, type Cluster } from '../../src/stats/intervals.ts'
import { seededRandom } from '../../src/stats/random.ts'

const wilson = (successes: number, trials: number): Interval => wilsonOfShare(successes / trials, trials)

// Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3 (Wilson).
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('Wilson of %i of %i: %d to %d', (successes, trials, low, high) => {
  const interval = wilson(successes, trials)
  expect(interval.low).toBeCloseTo(low, 4)
  expect(interval.high).toBeCloseTo(high, 4)
})

test('there is no interval without clusters, or with only one that has trials', () => {
  const [one, empty] = [
    { successes: 3, trials: 9 },
    { successes: 0, trials: 0 },
  ]
  expect([[], [one], [one, empty]].map((clusters) => clusterInterval(clusters))).toEqual(
    Array(3).fill(undefined),
  )
})

const cluster = fc
  .tuple(fc.nat(8), fc.nat(8))
  .map(([successes, failures]): Cluster => ({ successes, trials: successes + failures }))

test('intervals hold the share, lie in [0, 1] and mirror; over clusters they are not narrower than without', () => {
  fc.assert(
    fc.property(
      fc.array(cluster, { minLength: 2, maxLength: 30 }),
      fc.integer({ min: 1, max: 200 }),
      (clusters, most) => {
        const sum = (of: (one: Cluster) => number): number => clusters.reduce((all, one) => all + of(one), 0)
        const [successes, trials] = [sum((one) => one.successes), sum((one) => one.trials)]
        const mirrored = clusters.map((one) => ({ ...one, successes: one.trials - one.successes }))
        const over = clusterInterval(clusters)
        const [plain, other] = [wilson(successes, trials), wilson(trials - successes, trials)]
        fc.pre(over !== undefined)
        for (const { low, high } of [over, plain]) {
          expect(low).toBeGreaterThanOrEqual(0)
          expect(high).toBeLessThanOrEqual(1)
          expect(low).toBeLessThanOrEqual(successes / trials)
          expect(high).toBeGreaterThanOrEqual(successes / trials)
        }
        expect(plain.low).toBeCloseTo(1 - other.high, 12)
        expect(over.low).toBeCloseTo(1 - (clusterInterval(mirrored)?.high ?? Number.NaN), 9)
        expect(over.high - over.low).toBeGreaterThanOrEqual(plain.high - plain.low - 1e-9)
        const [bounded, bound] = [clusterInterval(clusters, most), wilsonOfShare(successes / trials, most)]
        expect(bounded?.low).toBeLessThanOrEqual(bound.low + 1e-9)
        expect(bounded?.high).toBeGreaterThanOrEqual(bound.high - 1e-9)
      },
    ),
  )
})

test('equal clusters still have a width: forty clusters of five lie between 200 and 40 trials', () => {
  const low = (count: number): number =>
    clusterInterval(Array.from({ length: count }, () => ({ successes: 5, trials: 5 })))?.low ?? Number.NaN
  expect(low(40)).toBeGreaterThan(low(10))
  expect(low(10)).toBeGreaterThan(low(3))
  expect(low(40)).toBeLessThan(wilson(200, 200).low)
  expect(low(40)).toBeGreaterThan(wilson(40, 40).low)
})

const five = Array.from({ length: 40 }, () => 5)
const uneven = Array.from({ length: 40 }, (_, place) => 1 + (place % 9))

// Over 2,000 runs; the standard error is half a point.
test.each([
  [0.5, 0.3, five],
  [0.95, 0.3, five],
  [0.8, 0.3, uneven],
  [0.8, 0, five],
  [0.8, 0.6, five],
])(
  'a share of %d, correlated by %d in 40 threads, is in its interval at least 93 times in 100',
  (share, icc, sizes) => {
    const random = seededRandom(20)
    let [held, plainHeld] = [0, 0]
    for (let run = 0; run < 2000; run += 1) {
      // A trial takes its cluster's common value with probability √icc, so that the correlation of two trials is icc.
      const clusters = sizes.map((trials): Cluster => {
        const common = random() < share
        const drawn = Array.from({ length: trials }, () =>
          random() < Math.sqrt(icc) ? common : random() < share,
        )
        return { successes: drawn.filter(Boolean).length, trials }
      })
      const interval = clusterInterval(clusters)
      const successes = clusters.reduce((sum, one) => sum + one.successes, 0)
      const plain = wilson(
        successes,
        sizes.reduce((sum, size) => sum + size, 0),
      )
      if (interval !== undefined && interval.low <= share && share <= interval.high) held += 1
      if (plain.low <= share && share <= plain.high) plainHeld += 1
    }
    expect(held / 2000).toBeGreaterThanOrEqual(0.93)
    // Wilson's is too narrow for correlated trials.
    if (icc > 0) expect(plainHeld / 2000).toBeLessThan(0.9)
    else expect(plainHeld / 2000).toBeGreaterThan(0.93)
  },
)
