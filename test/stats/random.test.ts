// Samples: whole, in order, the same for the same seed, fair.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawSample, seededRandom } from '../../src/stats/random.ts'

test('the sequence of a seed is its own', () => {
  const draw = (seed: number): number[] => Array.from({ length: 5 }, seededRandom(seed))
  expect(draw(7)).toEqual(draw(7))
  expect(draw(7)).not.toEqual(draw(8))
})

test('a sample has the size asked for, keeps the order and repeats nothing', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.nat(80), fc.nat(), (size, count, seed) => {
      const items = Array.from({ length: size }, (_, place) => place)
      const sample = drawSample(items, count, seededRandom(seed))
      expect(sample).toHaveLength(Math.min(size, count))
      expect(sample).toEqual([...new Set(sample)].sort((a, b) => a - b))
    }),
  )
})

test('each item is drawn about equally often', () => {
  const random = seededRandom(3)
  const hits = Array.from({ length: 10 }, () => 0)
  const items = hits.map((_, place) => place)
  for (let round = 0; round < 10_000; round += 1)
    for (const item of drawSample(items, 3, random)) hits[item] = (hits[item] ?? 0) + 1
  // 3,000 expected each; five standard deviations are 229.
  for (const count of hits) expect(Math.abs(count - 3000)).toBeLessThan(230)
})
