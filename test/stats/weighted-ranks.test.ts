// Nearest ranks of threads drawn again, by hand and as sorting the drawn sample gives them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  nearestRank,
  sortSamples,
  rankByThread,
  threadsBeyond,
  weightedRanks,
} from '../../src/stats/quantile.ts'

const ranked = rankByThread([[10, 20], [40], [], [15, 15]])

test('by hand', () => {
  // 10 20 10 20 40: ranks 3, 5 and 1.
  expect(weightedRanks(ranked, Uint32Array.of(2, 1, 5, 0), [0.5, 1, 0.2])).toEqual(
    Float64Array.of(20, 40, 10),
  )
  expect(weightedRanks(ranked, Uint32Array.of(0, 0, 3, 0), [0.5])).toBeUndefined()
})

test('threads beyond: of the samples of higher rank, in 10 15 15 20 40', () => {
  expect([0.2, 0.4, 0.5, 0.8, 0.81, 1].map((share) => threadsBeyond(ranked, share))).toEqual([
    3, 3, 2, 1, 0, 0,
  ])
})

test('as building the drawn sample and sorting it', () => {
  const thread = fc.record({ samples: fc.array(fc.nat(20), { maxLength: 4 }), times: fc.nat(3) })
  const shares = fc.array(fc.constantFrom(0.05, 0.5, 0.9, 0.95, 0.99, 1), { maxLength: 4 })
  fc.assert(
    fc.property(fc.array(thread), shares, (threads, asked) => {
      const times = Uint32Array.from(threads, (one) => one.times)
      const found = weightedRanks(rankByThread(threads.map(({ samples }) => samples)), times, asked)
      const drawn = sortSamples(
        threads.flatMap((one) => Array.from({ length: one.times }, () => one.samples).flat()),
      )
      const expected = asked.map((share) => nearestRank(drawn, share))
      expect(found === undefined ? undefined : [...found]).toEqual(drawn.length === 0 ? undefined : expected)
    }),
  )
})
