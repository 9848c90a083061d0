// A budget in parts.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { budgetForPart, partOfBudget } from '../../src/domain/shard.ts'

const whole = fc.nat(100_000)
const of = fc.integer({ min: 1, max: 200 })
const partsOf = (calls: number, count: number): number[] =>
  Array.from({ length: count }, (_, place) => partOfBudget(calls, { index: place + 1, of: count }))

test('parts of a budget add up to the whole, and none is larger than another by more than 1', () => {
  fc.assert(
    fc.property(whole, of, (calls, count) => {
      const parts = partsOf(calls, count)
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(calls)
      expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1)
    }),
  )
})

test('of a budget of fewer calls than parts the first parts get one each', () => {
  expect(partsOf(2, 4)).toEqual([1, 1, 0, 0])
})

test('budgetForPart is the smallest whole of which the part is as large', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), of, fc.nat(), (part, count, place) => {
      const shard = { index: (place % count) + 1, of: count }
      const calls = budgetForPart(part, shard)
      expect(partOfBudget(calls, shard)).toBe(part)
      expect(partOfBudget(calls - 1, shard)).toBe(part - 1)
    }),
  )
})
