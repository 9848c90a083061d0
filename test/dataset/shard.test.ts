// The shards of a run: a partition of any set, whatever is added to it.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shardOf } from '../../src/dataset/shard.ts'
import { createIdDeriver } from '../../src/dataset/threads.ts'

const ids = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 60 })
const of = fc.integer({ min: 1, max: 40 })

describe('shardOf', () => {
  test('puts every thread in exactly one part', () => {
    fc.assert(
      fc.property(ids, of, (all, parts) => {
        const numbers = Array.from({ length: parts }, (_, place) => place + 1)
        const split = numbers.flatMap((index) => all.filter((id) => shardOf(id, parts) === index))
        expect(split.toSorted()).toEqual(all.toSorted())
      }),
    )
  })

  test('moves no thread when others are added, taken away or put elsewhere', () => {
    fc.assert(
      fc.property(ids, ids, of, (before, added, parts) => {
        const places = (all: readonly string[]): Map<string, number> =>
          new Map(all.map((id) => [id, shardOf(id, parts)]))
        const now = places([...added, ...before].toReversed())
        for (const [id, index] of places(before)) expect(now.get(id)).toBe(index)
      }),
    )
  })

  test.each([2, 3, 4, 8, 10])('makes %i near-equal parts of many threads', (parts) => {
    const count = 500 * parts
    const sizes = Array.from({ length: parts }, () => 0)
    for (let place = 0; place < count; place += 1) {
      const id = createIdDeriver([])({ thread: '', turn: undefined, message: `question ${place}` })
      const index = shardOf(id, parts) - 1
      sizes[index] = (sizes[index] ?? 0) + 1
    }
    // Five standard deviations of a fair draw.
    const most = 5 * Math.sqrt(500 * (1 - 1 / parts))
    for (const size of sizes) expect(Math.abs(size - 500)).toBeLessThan(most)
  })
})
