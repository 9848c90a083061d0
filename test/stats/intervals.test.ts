// Protects the intervals of a share: Wilson's as published; over threads by properties and by their real coverage.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  clusterInterval,
  type Interval,
  weightedInterval,
  wilsonOfShare,
  type Cluster,
} from '../../src/stats/intervals.ts'
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
  [0.95, 0.3, five],
  [0.8, 0.3, uneven],
  [0.8, 0, five],
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

/** One cluster for each weight, wholly grounded or not at all. */
const alone = (...weights: readonly (readonly [weight: number, grounded: 0 | 1])[]): Cluster[] =>
  weights.map(([trials, grounded]) => ({ successes: trials * grounded, trials }))

// Computed by another program, from the definitions: the double sums of the degrees of freedom, (Σw)²/Σw², and
// the quantile of Student's t by Simpson's rule.
test.each<readonly [Cluster[], number[], number, number]>([
  [alone([1, 1], [2, 0], [3, 1], [4, 1], [5, 0], [6, 1]), [1, 2, 3, 4, 5, 6], 0.13835117, 0.96140775],
  [alone([10, 0], [1, 0], [1, 1], [1, 1], [1, 1], [1, 1]), [10, 1, 1, 1, 1, 1], 0.00205399, 0.98467328],
  [
    [
      { successes: 3, trials: 5 },
      { successes: 10, trials: 10 },
      { successes: 0, trials: 4 },
      { successes: 2, trials: 8 },
      { successes: 6, trials: 6 },
    ],
    [3, 2, 10, 4, 2, 6, 6],
    0.14277922,
    0.94841824,
  ],
])('the weighted interval of %j', (clusters, weights, low, high) => {
  const interval = weightedInterval(clusters, weights)
  expect(interval?.low).toBeCloseTo(low, 7)
  expect(interval?.high).toBeCloseTo(high, 7)
  // Whatever the unit of the weights.
  const inThousands = clusters.map(({ successes, trials }) => ({
    successes: successes / 1000,
    trials: trials / 1000,
  }))
  const scaled = weightedInterval(
    inThousands,
    weights.map((weight) => weight / 1000),
  )
  expect(scaled?.low).toBeCloseTo(low, 7)
})

test('it holds the share for any weights that a set may have', () => {
  const weight = fc.oneof(fc.constantFrom(1e-6, 1e9), fc.double({ min: 1e-6, max: 1e9, noNaN: true }))
  const trials = fc.array(fc.tuple(weight, fc.constantFrom(0, 1)), { minLength: 5, maxLength: 30 })
  fc.assert(
    fc.property(trials, (all) => {
      const clusters = all.map(([one, grounded]) => ({ successes: one * grounded, trials: one }))
      const sum = (of: keyof Cluster): number => clusters.reduce((total, one) => total + one[of], 0)
      const interval = weightedInterval(
        clusters,
        all.map(([one]) => one),
      )
      expect(interval?.low).toBeGreaterThanOrEqual(0)
      expect(interval?.high).toBeLessThanOrEqual(1)
      expect(interval?.low).toBeLessThanOrEqual(sum('successes') / sum('trials') + 1e-12)
      expect(interval?.high).toBeGreaterThanOrEqual(sum('successes') / sum('trials') - 1e-12)
    }),
  )
})

// Weights are lognormal, as numbers of tickets are; over 2,000 sets.
test.each([[0.95, 1, 200]])(
  'a share of %d with weights of spread %d in %i questions is in its interval',
  (share, spread, count) => {
    const random = seededRandom(7)
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    let [held, plainHeld] = [0, 0]
    for (let run = 0; run < 2000; run += 1) {
      const weights = Array.from({ length: count }, () => Math.exp(spread * normal()))
      const clusters = alone(...weights.map((one) => [one, random() < share ? 1 : 0] as const))
      const holds = (interval: Interval | undefined): boolean =>
        interval !== undefined && interval.low <= share && share <= interval.high
      const sum = (of: keyof Cluster): number => clusters.reduce((total, one) => total + one[of], 0)
      if (holds(weightedInterval(clusters, weights))) held += 1
      if (holds(wilsonOfShare(sum('successes') / sum('trials'), count))) plainHeld += 1
    }
    expect(held / 2000).toBeGreaterThanOrEqual(0.95)
    // Wilson's for the number of questions is too narrow.
    expect(plainHeld / 2000).toBeLessThan(0.91)
  },
)
