// Protects the newly-failing rule in large comparisons: it also sees questions beyond the list of changes.
import { expect, test } from 'vitest'
import { createRowGatherer } from '../../../src/analysis/comparison/rows.ts'
import type { ChangeKind } from '../../../src/domain/changes.ts'
import type { ComparisonRow } from '../../../src/domain/comparison.ts'

const row = (id: string, kind: ChangeKind): ComparisonRow =>
  ({ id, presence: 'both', kinds: [kind], answers: 'rephrased', baseline: {}, candidate: {} }) as never

test('ten thousand changes are listed, and a newly failing question after them still counts', () => {
  const gatherer = createRowGatherer()
  for (let place = 0; place < 10_000; place += 1) gatherer.add(row(`q${place}`, 'sourceChanged'))
  gatherer.add(row('last', 'passToFail'))
  const { newlyFailing, changed } = gatherer
  const { changes, counts } = changed
  expect(changes).toHaveLength(10_000)
  expect(counts).toMatchObject({ sourceChanged: 10_000, passToFail: 1 })
  expect(newlyFailing).toEqual(['last'])
})
