// Protects nearest-rank quantiles and the bootstrap of their differences, by examples and properties.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  bootstrapQuantile,
  mean,
  nearestRank,
  type QuantileResult,
  rankSamples,
  sortSamples,
} from '../../src/stats/quantile.ts'
import type { BootstrapOptions } from '../../src/stats/paired-bootstrap.ts'
import { seededRandom } from '../../src/stats/random.ts'

test('no samples have no percentile and no mean', () => {
  expect(nearestRank(sortSamples([]), 0.5)).toBeUndefined()
  expect(mean(sortSamples([]))).toBeUndefined()
})

test('a quantile is the smallest sample that at least the share p of samples does not exceed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(1000), { minLength: 1 }),
      fc.integer({ min: 1, max: 100 }),
      (all, percent) => {
        const value = nearestRank(sortSamples(all), percent / 100) ?? Number.NaN
        const [upTo, below] = [all.filter((each) => each <= value), all.filter((each) => each < value)]
        expect(upTo.length * 100).toBeGreaterThanOrEqual(percent * all.length)
        expect(below.length * 100).toBeLessThan(percent * all.length)
      },
    ),
  )
})

interface Cluster {
  readonly baseline: readonly number[]
  readonly candidate: readonly number[]
}

function bootstrap(
  clusters: readonly Cluster[],
  quantile: number,
  options: BootstrapOptions,
): QuantileResult | undefined {
  const rank = (run: keyof Cluster) =>
    rankSamples(
      clusters.flatMap((one) => one[run]),
      clusters.flatMap((one, owner) => one[run].map(() => owner)),
      clusters.length,
    )
  return bootstrapQuantile({ baseline: rank('baseline'), candidate: rank('candidate') }, quantile, options)
}

test('threadsBeyond counts the threads with samples of higher rank, in 10 15 15 20 40', () => {
  const clusters = [[10, 20], [40], [15, 15]].map((samples) => ({ baseline: samples, candidate: samples }))
  const shares = [0.2, 0.4, 0.5, 0.8, 0.81, 1]
  const beyond = shares.map(
    (share) => bootstrap(clusters, share, { random: seededRandom(1), replicates: 3 })?.threadsBeyond,
  )
  expect(beyond).toEqual([3, 3, 2, 1, 0, 0])
})

const samples = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 })
const clusters = fc.array(fc.record({ baseline: samples, candidate: samples }), {
  minLength: 2,
  maxLength: 8,
})

test('a replicate equals the sorted drawn sample', () => {
  const share = fc.constantFrom(0.1, 0.5, 0.9, 0.95, 1)
  fc.assert(
    fc.property(clusters, share, fc.nat(), (drawnFrom, quantile, seed) => {
      const random = seededRandom(seed)
      const replicate = (): number => {
        const drawn = drawnFrom.map(() => drawnFrom[Math.floor(random() * drawnFrom.length)])
        const pick = (run: keyof Cluster): number =>
          nearestRank(sortSamples(drawn.flatMap((one) => one?.[run] ?? [])), quantile) ?? Number.NaN
        return pick('candidate') - pick('baseline')
      }
      const three = [replicate(), replicate(), replicate()]
      // With three replicates at this level, the interval goes from the smallest to the largest.
      const options = { random: seededRandom(seed), replicates: 3, level: 0.8 }
      expect(bootstrap(drawnFrom, quantile, options)).toMatchObject({
        low: Math.min(...three),
        high: Math.max(...three),
      })
    }),
  )
})
