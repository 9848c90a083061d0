// The trend of several runs. Latency and quota side by side: recorded/compared*, report/outputs.
import { expect, test } from 'vitest'
import { trendOf } from '../../../src/analysis/comparison/usage.ts'
import { makeSummary } from '../../support/summaries.ts'
import { makeTurn } from '../../support/turns.ts'

test('the trend is of each run, baseline first, from three runs on', () => {
  const runs = [1, 2, 3].map(() => ({ summary: makeSummary([makeTurn()]) }))
  const trend = trendOf(runs)
  expect(trend.map(({ figure }) => figure).slice(0, 3)).toEqual(['coverage', 'passed', 'errors'])
  expect(trend[0]?.values).toEqual([1, 1, 1])
  expect(trend[1]?.values).toEqual([null, null, null])
  expect(trendOf(runs.slice(1))).toEqual([])
})
