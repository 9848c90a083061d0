// Protects the newly-failing rule in large comparisons: it also sees questions beyond the list of changes.
import { expect, test } from 'vitest'
import { createRowCollector } from '../../../src/analysis/comparison/rows.ts'
import type { ChangeKind } from '../../../src/domain/changes.ts'
import type { ComparisonRow } from '../../../src/domain/comparison.ts'

const row = (id: string, kind: ChangeKind): ComparisonRow =>
  ({ id, presence: 'both', kinds: [kind], answers: 'rephrased', baseline: {}, candidate: {} }) as never

test('ten thousand changes are listed, and a newly failing question after them still counts', () => {
  const collector = createRowCollector()
  for (let place = 0; place < 10_000; place += 1) collector.add(row(`q${place}`, 'sourceChanged'))
  collector.add(row('last', 'passToFail'))
  const { newlyFailing, changed } = collector
  const { changes, counts } = changed
  expect(changes).toHaveLength(10_000)
  expect(counts).toMatchObject({ sourceChanged: 10_000, passToFail: 1 })
  expect(newlyFailing).toEqual(['last'])
})
