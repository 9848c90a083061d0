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
  const one = { successes: 3, trials: 9 }
  for (const clusters of [[], [one], [one, { successes: 0, trials: 0 }]])
    expect(clusterInterval(clusters)).toBeUndefined()
})

const cluster = fc
  .tuple(fc.nat(8), fc.nat(8))
  .map(([successes, failures]): Cluster => ({ successes, trials: successes + failures }))

const sumOf = (clusters: readonly Cluster[], of: keyof Cluster): number =>
  clusters.reduce((total, one) => total + one[of], 0)
const shareOf = (clusters: readonly Cluster[]): number =>
  sumOf(clusters, 'successes') / sumOf(clusters, 'trials')
const holds = (interval: Interval | undefined, share: number): boolean =>
  interval !== undefined && interval.low <= share && share <= interval.high

test('intervals hold the share, lie in [0, 1] and mirror; over clusters they are not narrower than without', () => {
  fc.assert(
    fc.property(
      fc.array(cluster, { minLength: 2, maxLength: 30 }),
      fc.integer({ min: 1, max: 200 }),
      (clusters, most) => {
        const [successes, trials] = [sumOf(clusters, 'successes'), sumOf(clusters, 'trials')]
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
      if (holds(clusterInterval(clusters), share)) held += 1
      if (holds(wilson(sumOf(clusters, 'successes'), sumOf(clusters, 'trials')), share)) plainHeld += 1
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
  const inThousands = clusters.map((one) => ({ successes: one.successes / 1000, trials: one.trials / 1000 }))
  const thousandths = weights.map((weight) => weight / 1000)
  expect(weightedInterval(inThousands, thousandths)?.low).toBeCloseTo(low, 7)
})

test('it holds the share for any weights that a set may have', () => {
  const weight = fc.oneof(fc.constantFrom(1e-6, 1e9), fc.double({ min: 1e-6, max: 1e9, noNaN: true }))
  const trials = fc.array(fc.tuple(weight, fc.constantFrom(0, 1)), { minLength: 5, maxLength: 30 })
  fc.assert(
    fc.property(trials, (all) => {
      const clusters = all.map(([one, grounded]) => ({ successes: one * grounded, trials: one }))
      const weights = clusters.map((one) => one.trials)
      const interval = weightedInterval(clusters, weights)
      expect(interval?.low).toBeGreaterThanOrEqual(0)
      expect(interval?.high).toBeLessThanOrEqual(1)
      expect(interval?.low).toBeLessThanOrEqual(shareOf(clusters) + 1e-12)
      expect(interval?.high).toBeGreaterThanOrEqual(shareOf(clusters) - 1e-12)
    }),
  )
})

// Weights are lognormal, as numbers of tickets are; over 2,000 sets.
test('a share of 95 % with weights of spread 1 in 200 questions is in its interval', () => {
  const [random, share] = [seededRandom(7), 0.95]
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  let [held, plainHeld] = [0, 0]
  for (let run = 0; run < 2000; run += 1) {
    const weights = Array.from({ length: 200 }, () => Math.exp(normal()))
    const clusters = alone(...weights.map((one) => [one, random() < share ? 1 : 0] as const))
    if (holds(weightedInterval(clusters, weights), share)) held += 1
    if (holds(wilsonOfShare(shareOf(clusters), 200), share)) plainHeld += 1
  }
  expect(held / 2000).toBeGreaterThanOrEqual(0.95)
  // Wilson's for the number of questions is too narrow.
  expect(plainHeld / 2000).toBeLessThan(0.91)
})
