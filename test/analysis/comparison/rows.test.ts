// Protects the counts of large comparisons: they include questions beyond the list of changes.
import { expect, test } from 'vitest'
import { changedQuestions } from '../../../src/analysis/comparing/rows.ts'
import type { ChangeKind, Row } from '../../../src/domain/changes.ts'

const side = { failures: [] }
const row = (id: string, kind: ChangeKind): Row =>
  ({ id, presence: 'both', kinds: [kind], answers: 'rephrased', baseline: side, candidate: side }) as never

test('ten thousand changes are listed, and those after them still count', () => {
  const rows = Array.from({ length: 10_000 }, (_, place) => row(`q${place}`, 'sourceChanged'))
  const { changes, counts } = changedQuestions([...rows, row('last', 'passToFail')])
  expect(changes).toHaveLength(10_000)
  expect(counts).toMatchObject({ sourceChanged: 10_000, passToFail: 1 })
})
