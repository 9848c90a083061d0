// What `--shard` says, the budgets of parts, and the numbers that they give to what is new in them: no two parts the same.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shardValue } from '../../src/cli/options/values.ts'
import { numbersOfShard } from '../../src/cli/shard.ts'
import { budgetForPart, partOfBudget } from '../../src/domain/shard.ts'

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

test.each(['0/4', '5/4', '1/0', 'x', '1/', '2', '-1/4', '1.5/4'])(
  '--shard %s is refused with the mend',
  (word) => {
    const { success, error } = shardValue.safeParse(word)
    expect([success, error?.issues[0]?.message]).toEqual([
      false,
      expect.stringContaining('like 1/4, 2/4, 3/4 and 4/4'),
    ])
  },
)

test.each(['1/4', '4/4', '1/1', ' 2 / 3 '])('--shard %s is taken', (word) => {
  expect(shardValue.safeParse(word).success).toBe(true)
})

test('the budgets of the parts add up to that of the whole, and a part of one is raised to a whole that has it', () => {
  const whole = fc.integer({ min: 1, max: 10_000 })
  fc.assert(
    fc.property(whole, fc.integer({ min: 1, max: 40 }), (budget, of) => {
      const parts = Array.from({ length: of }, (_, place) => partOfBudget(budget, { index: place + 1, of }))
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(budget)
      expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1)
      for (const [place, part] of parts.entries()) {
        const shard = { index: place + 1, of }
        if (part === 0) continue
        expect(partOfBudget(budgetForPart(part, shard), shard)).toBe(part)
        expect(budgetForPart(part, shard)).toBeLessThanOrEqual(budget)
      }
    }),
  )
})
