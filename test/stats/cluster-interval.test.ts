// The interval over clusters: by hand, by law, and by how often it holds the true share.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clusterInterval, degreesOfFreedom, shareVariance, type Cluster } from '../../src/stats/cluster.ts'
import { wilson } from '../../src/stats/interval.ts'
import { seededRandom } from '../../src/stats/random.ts'

describe('the variance', () => {
  test('of clusters of one size is that of their shares', () => {
    // Shares 1, 0.5, 0, 0.5: mean 0.5, squares 0.25 + 0.25 over 3 degrees, over 4 clusters.
    const clusters = [4, 2, 0, 2].map((successes) => ({ successes, trials: 4 }))
    expect(shareVariance(clusters)).toBeCloseTo(0.5 / 3 / 4, 12)
    expect(degreesOfFreedom(clusters)).toBeCloseTo(3, 12)
  })

  test('has the degrees of freedom that the double sum has', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 12 })
    fc.assert(
      fc.property(sizes, (trials) => {
        expect(degreesOfFreedom(trials.map((one) => ({ successes: 0, trials: one })))).toBeCloseTo(
          Math.max(1, bySums(trials)),
          6,
        )
      }),
    )
  })
})

/** (Σ Ωᵢᵢ)² / Σ Ωᵢⱼ² as it stands. */
function bySums(sizes: readonly number[]): number {
  const all = sizes.reduce((sum, size) => sum + size, 0)
  const spread = sizes.reduce((sum, size) => sum + size ** 2, 0)
  let [trace, squares] = [0, 0]
  for (const [i, a] of sizes.entries()) {
    for (const [j, b] of sizes.entries()) {
      const [h, g] = [a / all, b / all]
      const covariance = (i === j ? a ** 2 : 0) - h * b ** 2 - g * a ** 2 + h * g * spread
      const element = covariance / Math.sqrt((1 - h) * (1 - g))
      if (i === j) trace += element
      squares += element ** 2
    }
  }
  return trace ** 2 / squares
}

const cluster = fc
  .tuple(fc.nat(8), fc.nat(8))
  .map(([successes, failures]): Cluster => ({ successes, trials: successes + failures }))

describe('the interval', () => {
  test('needs two clusters with trials', () => {
    expect(clusterInterval([])).toBeUndefined()
    expect(clusterInterval([{ successes: 3, trials: 9 }])).toBeUndefined()
    expect(
      clusterInterval([
        { successes: 3, trials: 9 },
        { successes: 0, trials: 0 },
      ]),
    ).toBeUndefined()
  })

  test('holds the share, lies in [0, 1], mirrors, and is no narrower than without clusters', () => {
    fc.assert(
      fc.property(fc.array(cluster, { minLength: 2, maxLength: 30 }), (clusters) => {
        const trials = clusters.reduce((sum, one) => sum + one.trials, 0)
        const successes = clusters.reduce((sum, one) => sum + one.successes, 0)
        const interval = clusterInterval(clusters)
        fc.pre(interval !== undefined)
        const mirrored = clusterInterval(
          clusters.map((one) => ({ ...one, successes: one.trials - one.successes })),
        )
        const plain = wilson(successes, trials) ?? { low: Number.NaN, high: Number.NaN }
        expect(interval.low).toBeGreaterThanOrEqual(0)
        expect(interval.high).toBeLessThanOrEqual(1)
        expect(interval.low).toBeLessThanOrEqual(successes / trials)
        expect(interval.high).toBeGreaterThanOrEqual(successes / trials)
        expect(interval.low).toBeCloseTo(1 - (mirrored?.high ?? Number.NaN), 9)
        expect(interval.effective).toBeLessThanOrEqual(trials)
        expect(interval.high - interval.low).toBeGreaterThanOrEqual(plain.high - plain.low - 1e-9)
      }),
    )
  })

  test('still has a width where all clusters agree, and more with fewer clusters', () => {
    const all = (count: number): number =>
      clusterInterval(Array.from({ length: count }, () => ({ successes: 5, trials: 5 })))?.low ?? Number.NaN
    expect(all(40)).toBeGreaterThan(all(10))
    expect(all(10)).toBeGreaterThan(all(3))
    // Forty clusters of five are not two hundred trials, nor only forty.
    expect(all(40)).toBeLessThan(wilson(200, 200)?.low ?? 0)
    expect(all(40)).toBeGreaterThan(wilson(40, 40)?.low ?? 1)
  })

  test('counts no more trials than it is told', () => {
    const clusters = Array.from({ length: 30 }, (_, place) => ({
      successes: place % 3 === 0 ? 0 : 3,
      trials: 3,
    }))
    expect(clusterInterval(clusters, 12)?.effective).toBeLessThanOrEqual(12)
  })
})

/**
 * Clusters whose trials correlate by `icc`: with chance √icc a trial takes its cluster's common value, else its own,
 * so a pair of them agrees beyond chance with chance icc.
 */
function draw(random: () => number, sizes: readonly number[], share: number, icc: number): Cluster[] {
  return sizes.map((trials) => {
    const common = random() < share
    let successes = 0
    for (let trial = 0; trial < trials; trial += 1)
      if (random() < Math.sqrt(icc) ? common : random() < share) successes += 1
    return { successes, trials }
  })
}

const five = Array.from({ length: 40 }, () => 5)
const uneven = Array.from({ length: 40 }, (_, place) => 1 + (place % 9))

// The share of 2,000 runs whose interval holds the truth; its standard error is half a point.
test.each([
  [0.5, 0.3, five],
  [0.8, 0.3, five],
  [0.95, 0.3, five],
  [0.8, 0.3, uneven],
  [0.8, 0, five],
  [0.8, 0.6, five],
])(
  'of %d with correlation %d over 40 threads it holds the truth 93 times in 100, Wilson only without correlation',
  (share, icc, sizes) => {
    const random = seededRandom(20)
    let [held, plainHeld] = [0, 0]
    for (let run = 0; run < 2000; run += 1) {
      const clusters = draw(random, sizes, share, icc)
      const interval = clusterInterval(clusters)
      const trials = sizes.reduce((sum, size) => sum + size, 0)
      const plain = wilson(
        clusters.reduce((sum, one) => sum + one.successes, 0),
        trials,
      )
      if (interval !== undefined && interval.low <= share && share <= interval.high) held += 1
      if (plain !== undefined && plain.low <= share && share <= plain.high) plainHeld += 1
    }
    expect(held / 2000).toBeGreaterThanOrEqual(0.93)
    if (icc > 0) expect(plainHeld / 2000).toBeLessThan(0.9)
    else expect(plainHeld / 2000).toBeGreaterThan(0.93)
  },
)
