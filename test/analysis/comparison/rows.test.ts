// What is gathered of a comparison's rows: every newly failing question, also beyond the list of changes.
import { expect, test } from 'vitest'
import { createRowGatherer } from '../../../src/analysis/comparison/rows.ts'
import type { ChangeKind } from '../../../src/domain/changes.ts'
import type { ComparisonRow } from '../../../src/domain/comparison.ts'

const side = {
  repeat: 1,
  source: 'KNOWLEDGE_BASE',
  outcome: 'answered',
  groundingRate: 1,
  passRate: 1,
  failures: [],
  latencyMs: 1,
  answer: 'a',
} as const
const row = (id: string, kind: ChangeKind): ComparisonRow => ({
  id,
  file: 0,
  thread: id,
  turn: 1,
  message: id,
  tags: [],
  mustPass: false,
  presence: 'both',
  kinds: [kind],
  answers: 'rephrased',
  similarity: 1,
  factsLost: [],
  factsGained: [],
  baseline: side,
  candidate: side,
  shown: null,
  reviewing: null,
})

test('ten thousand changes are listed, and a newly failing question behind them still fails its rule', () => {
  const gatherer = createRowGatherer()
  for (let place = 0; place < 10_000; place += 1) gatherer.add(row(`q${place}`, 'sourceChanged'))
  gatherer.add(row('last', 'passToFail'))
  const { newlyFailing, changed } = gatherer
  const { changes, counts } = changed
  expect(changes).toHaveLength(10_000)
  expect(counts).toMatchObject({ sourceChanged: 10_000, passToFail: 1 })
  expect(newlyFailing).toEqual(['last'])
})
