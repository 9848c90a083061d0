// Protects the trend of several runs. recorded/compared* and report/outputs cover latency and quota.
import { expect, test } from 'vitest'
import { trendOf } from '../../../src/analysis/comparison/usage.ts'
import { makeSummary } from '../../support/summaries.ts'
import { makeTurn } from '../../support/turns.ts'

test('three or more runs have a trend with a value for each run, baseline first', () => {
  const runs = [1, 2, 3].map(() => ({ summary: makeSummary([makeTurn()]) }))
  const trend = trendOf(runs)
  expect(trend.map(({ figure }) => figure).slice(0, 3)).toEqual(['coverage', 'passed', 'errors'])
  expect(trend[0]?.values).toEqual([1, 1, 1])
  expect(trend[1]?.values).toEqual([null, null, null])
  expect(trendOf(runs.slice(1))).toEqual([])
})
