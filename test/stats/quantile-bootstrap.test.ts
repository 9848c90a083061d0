// The bootstrap of a quantile's difference: by hand, by law, and by how often it is right.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bootstrapQuantiles, type SampleCluster, nearestRank, sortSamples } from '../../src/stats/quantile.ts'
import { seededRandom } from '../../src/stats/random.ts'

test('by hand: threads are drawn whole, with both runs', () => {
  const clusters = [
    { baseline: [10, 20], candidate: [30] },
    { baseline: [40], candidate: [25, 50] },
    { baseline: [15], candidate: [] },
  ]
  // Drawn 0 0 1: medians of 10 10 20 20 40 and 25 30 30 50; 1 1 2: of 15 40 40 and 25 25 50 50; 0 1 2: the whole.
  const places = [0, 0, 1, 1, 1, 2, 0, 1, 2]
  let next = 0
  const random = (): number => ((places[next++] ?? Number.NaN) + 0.5) / 3
  const result = bootstrapQuantiles(clusters, [0.5], { random, replicates: 3, level: 0.7 })
  // Whole: 10 15 20 40 and 25 30 50.
  expect(result).toMatchObject([{ estimate: 30 - 15, low: 25 - 40, high: 30 - 15 }])
})

test('needs two threads with samples, and samples in both runs', () => {
  const options = { random: seededRandom(1) }
  const one = { baseline: [1, 2], candidate: [2, 3] }
  const none = { baseline: [], candidate: [] }
  expect(bootstrapQuantiles([one, none], [0.5], options)).toBeUndefined()
  expect(
    bootstrapQuantiles(
      [
        { ...one, candidate: [] },
        { ...one, candidate: [] },
      ],
      [0.5],
      options,
    ),
  ).toBeUndefined()
  // Half of all drawings lack a run; they are drawn anew.
  const apart = [
    { baseline: [1], candidate: [] },
    { baseline: [], candidate: [5] },
  ]
  expect(bootstrapQuantiles(apart, [0.5], options)?.[0]?.estimate).toBe(4)
})

const samples = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 })
const clusters = fc.array(fc.record({ baseline: samples, candidate: samples }), {
  minLength: 2,
  maxLength: 8,
})

test('every replicate is what building the drawn sample and sorting it gives', () => {
  const share = fc.constantFrom(0.1, 0.5, 0.9, 0.95, 1)
  fc.assert(
    fc.property(clusters, share, fc.nat(), (drawnFrom, quantile, seed) => {
      const random = seededRandom(seed)
      const replicate = (): number => {
        const drawn = drawnFrom.map(() => drawnFrom[Math.floor(random() * drawnFrom.length)])
        const pick = (run: keyof SampleCluster): number =>
          nearestRank(sortSamples(drawn.flatMap((one) => [...(one?.[run] ?? [])])), quantile) ?? Number.NaN
        return pick('candidate') - pick('baseline')
      }
      const three = [replicate(), replicate(), replicate()]
      // Of three replicates and at so high a level, the interval is the least and the greatest.
      const options = { random: seededRandom(seed), replicates: 3, level: 0.8 }
      const result = bootstrapQuantiles(drawnFrom, [quantile], options)
      expect(result).toMatchObject([{ low: Math.min(...three), high: Math.max(...three) }])
    }),
  )
})

test('several quantiles come from one drawing, each as if it were alone, in the order asked', () => {
  fc.assert(
    fc.property(clusters, fc.nat(), (drawnFrom, seed) => {
      const at = (quantiles: readonly number[]): unknown[] =>
        bootstrapQuantiles(drawnFrom, quantiles, { random: seededRandom(seed), replicates: 50 }) ?? []
      const asked = [0.95, 0.5, 1, 0.1, 0.5]
      expect(at(asked)).toEqual(asked.flatMap((quantile) => at([quantile])))
    }),
  )
})

/** Latencies whose threads resemble themselves; the candidate is slower by `more`. */
const latencies = (random: () => number, threads: number, more: number): SampleCluster[] =>
  Array.from({ length: threads }, () => {
    const own = 400 * random()
    const length = 1 + Math.floor(random() * 6)
    const run = (extra: number): number[] =>
      Array.from({ length }, () => 300 + extra + own - 500 * Math.log(1 - random()))
    return { baseline: run(0), candidate: run(more) }
  })

// The standard error is a point.
describe.each([
  [0.5, 60],
  [0.95, 100],
])('the %d quantile over %i threads', (quantile, threads) => {
  test.each([0, 150])('slower by %i: the interval holds it 94 times in 100', (more) => {
    const random = seededRandom(5)
    let held = 0
    for (let run = 0; run < 500; run += 1) {
      const options = { random, replicates: 199 }
      const [result] = bootstrapQuantiles(latencies(random, threads, more), [quantile], options) ?? []
      if (result !== undefined && result.low <= more && more <= result.high) held += 1
    }
    console.info(`quantile ${quantile}, ${threads} threads, slower by ${more}: held ${held / 500}`)
    expect(held / 500).toBeGreaterThanOrEqual(0.93)
    expect(held / 500).toBeLessThanOrEqual(0.985)
  })
})
