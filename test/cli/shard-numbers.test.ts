// Numbers that the parts of a run give to what is new in them: no two parts the same.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numbersOfShard } from '../../src/cli/shard.ts'

const take = (from: number, shard: { index: number; of: number } | undefined, count: number): number[] => {
  const numbers = numbersOfShard(from, shard)
  return Array.from({ length: count }, () => numbers.next().value)
}

test('no part gives a number below the first that is free, or one that another gives', () => {
  const parts = fc.array(fc.nat(50), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(parts, (froms) => {
      const given = froms.map((from, place) => take(from, { index: place + 1, of: froms.length }, 20))
      expect(new Set(given.flat()).size).toBe(20 * froms.length)
      for (const [place, numbers] of given.entries())
        expect(numbers[0]).toBeGreaterThanOrEqual(froms[place] ?? Infinity)
    }),
  )
})

test('a whole run gives them one after the other', () => {
  expect(take(5, undefined, 3)).toEqual([5, 6, 7])
})
