// Protects seeded random numbers: sequences repeat, streams are independent, samples are fair.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandomStreams, drawSample, seededRandom } from '../../src/stats/random.ts'

const draw = (random: () => number, count = 20): number[] => Array.from({ length: count }, () => random())

test('a stream depends only on seed and number, whatever other streams draw', () => {
  const [once, again] = [createRandomStreams(7), createRandomStreams(7)]
  const [first, other] = [again(3), again(4)]
  const mixed = Array.from({ length: 20 }, () => [first(), other()][0])
  expect(draw(once(3))).toEqual(mixed)
  expect(draw(once(3))).not.toEqual(draw(once(4)))
  expect(draw(createRandomStreams(8)(3))).not.toEqual(draw(once(3)))
})

test('the first draws of neighbouring streams are uniform', () => {
  const streams = createRandomStreams(1)
  const counts = Array<number>(20).fill(0)
  for (let stream = 0; stream < 20_000; stream += 1) {
    const place = Math.floor(20 * streams(stream)())
    counts[place] = (counts[place] ?? 0) + 1
  }
  // Chi-square with 19 degrees of freedom, upper 0.1 % point (Abramowitz and Stegun, table 26.8).
  expect(counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)).toBeLessThan(43.82)
})

test('a sample has the given size, keeps the order and has no item twice', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.nat(80), fc.nat(), (size, count, seed) => {
      const sample = drawSample([...Array(size).keys()], count, seededRandom(seed))
      expect(sample).toHaveLength(Math.min(size, count))
      expect(sample).toEqual([...new Set(sample)].sort((a, b) => a - b))
    }),
  )
})

test('each item is drawn about equally often', () => {
  const random = seededRandom(3)
  const hits = Array<number>(10).fill(0)
  for (let round = 0; round < 10_000; round += 1)
    for (const item of drawSample([...hits.keys()], 3, random)) hits[item] = (hits[item] ?? 0) + 1
  // 3,000 expected each; five standard deviations are 229.
  for (const count of hits) expect(Math.abs(count - 3000)).toBeLessThan(230)
})
