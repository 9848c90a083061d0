// Streams by their number: repeatable, apart from each other, and even across streams.
import { expect, test } from 'vitest'
import { createRandomStreams } from '../../src/stats/random.ts'

const draw = (random: () => number, count: number): number[] => Array.from({ length: count }, () => random())

test('a stream is the same for its seed and number, whoever else draws meanwhile', () => {
  const [once, again] = [createRandomStreams(7), createRandomStreams(7)]
  const [first, other] = [again(3), again(4)]
  const mixed = Array.from({ length: 20 }, () => [first(), other()][0])
  expect(draw(once(3), 20)).toEqual(mixed)
  expect(draw(once(3), 5)).not.toEqual(draw(once(4), 5))
  expect(draw(createRandomStreams(8)(3), 5)).not.toEqual(draw(once(3), 5))
})

test('the first draws of neighbouring streams are as even as chance makes them', () => {
  const streams = createRandomStreams(1)
  const counts = Array<number>(20).fill(0)
  for (let stream = 0; stream < 20_000; stream += 1) {
    const place = Math.floor(20 * streams(stream)())
    counts[place] = (counts[place] ?? 0) + 1
  }
  // Chi-square with 19 degrees of freedom, upper 0.1 % point (Abramowitz and Stegun, table 26.8).
  expect(counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)).toBeLessThan(43.82)
})
