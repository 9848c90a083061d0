// The limit from a load test that asks refused calls again: floods of them wait in line, and some overtake others.
import { expect, test } from 'vitest'
import { findLimitInRecord } from '../../../src/analysis/limit/find-in-record.ts'
import { tokenBucket } from '../../../src/sandbox/limits/models.ts'
import { gatheredOf } from './records.ts'
import { recordOfRetrying } from './retrying-load.ts'

const bucket = () => tokenBucket(10, 1000, 20)
const flood = { seed: 1, eachMs: 0.3, strays: 0.01, strayMs: 150 }

test.each([
  { seed: 4, strays: 0.01 },
  { seed: 2, strays: 0.02 },
  { seed: 3, strays: 0.02 },
  { seed: 5, strays: 0.02 },
])('one bucket is one bucket: %j', (disorder) => {
  const seen = recordOfRetrying([bucket()], { ...flood, ...disorder })
  const refusals = seen.filter(({ refused }) => refused).length
  expect(refusals / seen.length).toBeGreaterThan(0.9)
  const finding = findLimitInRecord(gatheredOf(seen))
  expect(finding).toMatchObject({ kind: 'token-bucket', burst: { value: 20 } })
  expect(finding?.tiers).toHaveLength(1)
  expect(finding?.sustainedPerSecond?.value).toBeGreaterThan(9.9)
  expect(finding?.sustainedPerSecond?.value).toBeLessThan(10.1)
})

test('an endpoint that takes seconds for a flood: what the record shows is no more than a hint', () => {
  const seen = recordOfRetrying([bucket()], { ...flood, eachMs: 6 })
  const finding = findLimitInRecord(gatheredOf(seen))
  expect(finding?.confidence).toBe('low')
  expect(finding?.reasons).toContain('order-blurred')
  expect(finding?.tiers).toHaveLength(1)
})
