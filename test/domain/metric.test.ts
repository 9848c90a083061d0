// What thresholds can name: figures of the run, and nothing that is only found out about its limit.
import { expect, test } from 'vitest'
import { METRICS } from '../../src/domain/metric.ts'
import { summarySchema } from '../../src/domain/summary.ts'
import { makeSummary } from '../support/summaries.ts'

test('of the pace, thresholds name the refusals alone', () => {
  const names = METRICS.filter(({ path }) => path[0] === 'pacing').map(({ name }) => name)
  expect(names).toEqual(['rate429', 'pacing.rate429', 'pacing.rateLimited'])
})

test('a summary that knows no finding has none', () => {
  const { pacing, ...rest } = makeSummary([])
  const { finding: _, ...old } = pacing
  expect(summarySchema.parse({ ...rest, pacing: old }).pacing.finding).toBeNull()
})
