// The budget of a joined run, from those that its parts were told.
import { expect, test } from 'vitest'
import { partOfBudget } from '../../../src/domain/shard.ts'
import { budgetOf, type BudgetedPart } from '../../../src/cli/merging/join-manifests.ts'

/** One of four. `whole`: as it was told. */
const part = (index: number, whole: number | null): BudgetedPart => {
  const share = whole === null ? null : partOfBudget(whole, { index, of: 4 })
  return { manifest: { options: { maxCalls: share } }, shard: { index, of: 4, maxCalls: whole } }
}

test.each<[string, BudgetedPart[], number | null]>([
  ['of all parts', [1, 2, 3, 4].map((index) => part(index, 41)), 41],
  ['without a part', [1, 3, 4].map((index) => part(index, 41)), 41],
  ['of one part alone', [part(4, 41)], 41],
  ['where a resume raised it for a part', [part(1, 40), part(2, 80), part(3, 40), part(4, 40)], 50],
  ['where a resume did, and a part is missing', [part(1, 40), part(2, 80), part(4, 40)], 50],
  [
    'where a part alone was told one',
    [{ manifest: { options: { maxCalls: 7 } }, shard: { index: 1, of: 2, maxCalls: null } }],
    7,
  ],
  ['where a part has none', [part(1, 40), part(2, null), part(4, 40)], null],
])('%s', (_, parts, expected) => {
  expect(budgetOf(parts)).toBe(expected)
})
