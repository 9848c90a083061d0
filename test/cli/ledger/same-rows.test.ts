// Files of a ledger that overlap are told of; those that do not are not.
import { expect, test } from 'vitest'
import { noteSameRows } from '../../../src/cli/ledger/same-rows.ts'
import type { LedgerEntry } from '../../../src/domain/ledger.ts'

const row = (file: number, at: number): LedgerEntry => ({
  file,
  line: at,
  at,
  until: at + 1,
  count: 1,
  conversationId: `c${at}`,
  endUserRef: undefined,
  status: undefined,
})
const files = [{ name: 'a.csv' }, { name: 'b.json' }]
const notes = (first: readonly number[], second: readonly number[]): string[] =>
  noteSameRows([...first.map((at) => row(0, at)), ...second.map((at) => row(1, at))], files)

test.each([
  [[1, 2, 3], [3, 2, 1], '3 different rows stand in both a.csv and b.json'],
  [[1, 2, 3, 4, 5], [4, 5, 6, 7], '2 different rows stand in both'],
])('%j and %j overlap', (first, second, words) => {
  expect(notes(first, second)).toEqual([expect.stringContaining(words)])
})
test.each([
  [
    [1, 2, 3],
    [4, 5, 6],
  ],
  [
    [1, 2, 3, 4],
    [4, 5, 6, 7],
  ],
  [[1, 2], []],
])('%j and %j do not', (first, second) => {
  expect(notes(first, second)).toEqual([])
})
test('rows without time and ids are totals, and may look alike', () => {
  const bare = (file: number): LedgerEntry => ({ ...row(file, 1), at: undefined, conversationId: undefined })
  expect(noteSameRows([bare(0), bare(1)], files)).toEqual([])
})
