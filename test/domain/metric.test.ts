// What thresholds can name: figures of the run, and nothing that is only found out about its limit.
import { expect, test } from 'vitest'
import { METRICS } from '../../src/domain/metric.ts'

test('of the pace, thresholds name the refusals alone', () => {
  const names = METRICS.filter(({ path }) => path[0] === 'pacing').map(({ name }) => name)
  expect(names).toEqual(['rate429', 'pacing.rate429', 'pacing.rateLimited'])
})
