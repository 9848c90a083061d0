// Protects how shards divide the call budget.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { budgetForPart, partOfBudget } from '../../src/domain/shard.ts'

const whole = fc.nat(100_000)
const of = fc.integer({ min: 1, max: 200 })
const partsOf = (calls: number, count: number): number[] =>
  Array.from({ length: count }, (_, place) => partOfBudget(calls, { index: place + 1, of: count }))

test('the parts of a budget add up to the whole and differ by at most 1', () => {
  fc.assert(
    fc.property(whole, of, (calls, count) => {
      const parts = partsOf(calls, count)
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(calls)
      expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1)
    }),
  )
})

test('budgetForPart is the smallest budget that gives the shard that many calls', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), of, fc.nat(), (part, count, place) => {
      const shard = { index: (place % count) + 1, of: count }
      const calls = budgetForPart(part, shard)
      expect(partOfBudget(calls, shard)).toBe(part)
      expect(partOfBudget(calls - 1, shard)).toBe(part - 1)
    }),
  )
})
