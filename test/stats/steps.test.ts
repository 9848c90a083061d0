// Long work in short steps: none is long however much there is to do, and what comes of it is the same.
import { describe, expect, test } from 'vitest'
import { bootstrapShares, type PairedCluster } from '../../src/stats/paired-bootstrap.ts'
import { bootstrapRanked } from '../../src/stats/quantile-bootstrap.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { signFlipTest } from '../../src/stats/sign-flip.ts'
import { forEachInSteps, walk, type Steps } from '../../src/stats/steps.ts'
import { rankByThread } from '../../src/stats/weighted-ranks.ts'
import { forEachStep } from '../support/steps.ts'

const clustersOf = (count: number): PairedCluster[] =>
  Array.from({ length: count }, (_, place) => ({ turns: 3, baseline: 2, candidate: 1 + (place % 3) }))
const rankedOf = (count: number): ReturnType<typeof rankByThread> =>
  rankByThread(Array.from({ length: count }, (_, place) => [place, (7 * place) % 11]))

describe('things gone through in steps', () => {
  test.each([0, 1, 255, 256, 257, 5000])('%i of them: each once, in their order, few in a step', (count) => {
    const items = Array.from({ length: count }, (_, place) => place)
    const seen: number[] = []
    const ends: number[] = []
    forEachStep(
      forEachInSteps(items, (item) => seen.push(item)),
      () => ends.push(seen.length),
    )
    expect(seen).toEqual(items)
    const lengths = ends.map((end, place) => end - (ends[place - 1] ?? 0))
    expect(Math.max(...lengths)).toBeLessThanOrEqual(256)
  })
})

describe('draws of a bootstrap', () => {
  const THREADS = 500
  const most = (act: (random: () => number) => Steps<unknown>): { step: number; all: number } => {
    let [drawn, all, step] = [0, 0, 0]
    const random = seededRandom(1)
    const counted = (): number => {
      drawn += 1
      return random()
    }
    forEachStep(act(counted), () => {
      all += drawn
      step = Math.max(step, drawn)
      drawn = 0
    })
    return { step, all }
  }
  test.each<[string, (replicates: number, random: () => number) => Steps<unknown>]>([
    ['shares', (replicates, random) => bootstrapShares(clustersOf(THREADS), { replicates, random })],
    [
      'quantiles',
      (replicates, random) =>
        bootstrapRanked({ baseline: rankedOf(THREADS), candidate: rankedOf(THREADS) }, [0.5], {
          replicates,
          random,
        }),
    ],
  ])('of %s: the more there are the more steps, none of them longer', (_, act) => {
    const [few, many] = [most((random) => act(400, random)), most((random) => act(1600, random))]
    expect(few.all).toBe(400 * THREADS)
    expect(many.all).toBe(1600 * THREADS)
    expect(few.step).toBeLessThan(few.all / 2)
    expect(many.step).toBe(few.step)
  })
})

test('sign flips of many threads are gone through in steps', () => {
  const stepsOf = (count: number): number => {
    let steps = 0
    // Of many sizes: those that changed by as much, many at a time, are next to no work.
    const changes = Array.from({ length: count }, (_, place) => ((place % 3) - 1) * (1 + (place % 7)))
    forEachStep(signFlipTest(changes), () => (steps += 1))
    return steps
  }
  expect(stepsOf(10)).toBe(1)
  expect(stepsOf(4000)).toBeGreaterThan(10)
  expect(stepsOf(8000)).toBeGreaterThan(2 * stepsOf(4000))
})

test('two that are walked in turns come to what each comes to alone', () => {
  const shares = (seed: number): Steps<unknown> =>
    bootstrapShares(clustersOf(400), { replicates: 1000, random: seededRandom(seed) })
  const flips = (): Steps<number> => signFlipTest(Array.from({ length: 3000 }, (_, place) => (place % 4) - 1))
  const some = [shares(1), shares(2), flips()]
  const results = new Map<number, unknown>()
  while (results.size < some.length)
    for (const [place, steps] of some.entries()) {
      const step = results.has(place) ? undefined : steps.next()
      if (step?.done === true) results.set(place, step.value)
    }
  expect([results.get(0), results.get(1), results.get(2)]).toEqual([
    walk(shares(1)),
    walk(shares(2)),
    walk(flips()),
  ])
})
