// Protects the bootstrap of paired shares: examples by hand, properties, and the linearised variance.
// prove/gate.test.ts covers how often a comparison is right.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bootstrapResult, bootstrapShares, type PairedCluster } from '../../src/stats/paired-bootstrap.ts'
import { shareVariance } from '../../src/stats/intervals.ts'
import { seededRandom } from '../../src/stats/random.ts'

/** A random source that draws the given places of `count` clusters. */
const drawing = (places: readonly number[], count: number): (() => number) => {
  let next = 0
  return () => ((places[next++] ?? Number.NaN) + 0.5) / count
}

describe('examples', () => {
  test('threads are drawn whole, with both runs, and weighted by their turns', () => {
    const clusters = [
      { turns: 1, baseline: 1, candidate: 0 },
      { turns: 3, baseline: 1, candidate: 2 },
      { turns: 2, baseline: 2, candidate: 0 },
    ]
    // Draws 0 0 1, 1 1 2, 2 2 2 and 0 1 2 give (−1−1+1)/5, (1+1−2)/8, −6/6 and −2/6.
    const bootstrap = (level: number) => {
      const random = drawing([0, 0, 1, 1, 1, 2, 2, 2, 2, 0, 1, 2], 3)
      return bootstrapShares(clusters, { random, replicates: 4, level })
    }
    const result = bootstrap(0.8)
    // Two degrees of freedom: t 0.2887 · √(3/2) cuts a tail of 0.362 of 5, the first from either end.
    expect(result?.low).toBe(-1)
    expect(result?.high).toBe(0)
    // At 0.86 the tail is 0.4 of 5: the second from either end.
    expect(bootstrap(0.86)).toMatchObject({ low: -2 / 6, high: -1 / 5 })
    // One of four reaches 0, a tail of (1 + 1)/(4 + 1); z 0.2533 · √(2/3) = 0.2069 as t: 1 − t/√(2 + t²).
    expect(result?.p).toBeCloseTo(0.855, 3)
  })

  test("the quantiles for 20 clusters are Hesterberg's", () => {
    // t of 19 degrees is 2.093 in print, times √(20/19) is 2.1474, below which lies 0.01588.
    const replicates = Float64Array.from({ length: 9999 }, (_, place) => place + 1)
    const verdict = bootstrapResult(replicates, 19, 0.05)
    expect(verdict.low).toBe(158)
    expect(verdict.high).toBe(9842)
  })

  test('two threads give an infinite interval, one gives none', () => {
    const one = { turns: 5, baseline: 5, candidate: 0 }
    const random = seededRandom(1)
    expect(bootstrapShares([one], { random })).toBeUndefined()
    expect(bootstrapShares([one, { turns: 0, baseline: 0, candidate: 0 }], { random })).toBeUndefined()
    const two = bootstrapShares([one, one], { random })
    expect(two).toMatchObject({ low: -Infinity, high: Infinity })
    expect(two?.p).toBeGreaterThan(0.05)
  })
})

const cluster = fc
  .integer({ min: 1, max: 6 })
  .chain((turns) =>
    fc.record({ turns: fc.constant(turns), baseline: fc.nat(turns), candidate: fc.nat(turns) }),
  )

describe('properties', () => {
  test('the p-value is at most the level exactly if the interval excludes 0', () => {
    const levels = fc.constantFrom(0.01, 0.025, 0.05, 0.2)
    const threads = fc.array(cluster, { minLength: 3, maxLength: 25 })
    fc.assert(
      fc.property(threads, fc.nat(), levels, (clusters, seed, level) => {
        const result = bootstrapShares(clusters, { random: seededRandom(seed), replicates: 399, level })
        if (result === undefined) throw new Error('no result')
        expect(result.p <= level).toBe(result.low > 0 || result.high < 0)
        expect(result.low).toBeLessThanOrEqual(result.high)
      }),
    )
  })

  test('the interval is as wide as the linearised variance says', () => {
    const clusters = simulate(seededRandom(2), 400)
    const result = bootstrapShares(clusters, { random: seededRandom(3), replicates: 10_000 })
    const changes = clusters.map((one) => ({ successes: one.candidate - one.baseline, trials: one.turns }))
    const width = 2 * 1.966 * Math.sqrt(shareVariance(changes))
    expect(((result?.high ?? 0) - (result?.low ?? 0)) / width).toBeCloseTo(1, 1)
  })
})

/** Threads of 1 to 6 turns, with equal runs. Each question has its own probability. */
function simulate(random: () => number, threads: number): PairedCluster[] {
  return Array.from({ length: threads }, () => {
    const turns = 1 + Math.floor(random() * 6)
    const thread = random()
    let [baseline, candidate] = [0, 0]
    for (let turn = 0; turn < turns; turn += 1) {
      const chance = 0.3 + 0.4 * thread + 0.3 * random()
      if (random() < chance) baseline += 1
      if (random() < chance) candidate += 1
    }
    return { turns, baseline, candidate }
  })
}
