// The limit from records in which some calls waited far longer than others: in floods of retries, or while something stalled.
import { describe, expect, test } from 'vitest'
import { findLimitInRecord } from '../../../src/analysis/limit/find-in-record.ts'
import type { CallSeen } from '../../../src/domain/limit.ts'
import { fixedWindow, slidingWindow, tokenBucket } from '../../../src/sandbox/limits/models.ts'
import { gatheredOf } from './records.ts'
import { recordOfRetrying } from './retrying-load.ts'
import { recordOfStalling } from './stalling-load.ts'

const found = (seen: readonly CallSeen[]) => {
  const finding = findLimitInRecord(gatheredOf(seen))
  const { kind, confidence, windowMs, burst, tiers = [] } = finding ?? {}
  return {
    kind,
    confidence,
    windowMs: Math.round(windowMs?.value ?? 0),
    burst: burst?.value,
    of: tiers.length,
  }
}

describe.each([
  { name: '2 a second', limit: () => fixedWindow(2, 1000), kind: 'fixed-window', burst: 2 },
  { name: '5 a second', limit: () => fixedWindow(5, 1000), kind: 'fixed-window', burst: 5 },
  { name: '2 in any second', limit: () => slidingWindow(2, 1000), kind: 'sliding-window', burst: 2 },
])('$name, asked again in floods', ({ limit, kind, burst }) => {
  test('each of which takes a good part of the window: known', () => {
    const seen = recordOfRetrying([limit()], { seed: 1, eachMs: 1, strays: 0, strayMs: 0 })
    expect(found(seen)).toEqual({ kind, confidence: 'high', windowMs: 1000, burst, of: 1 })
  })

  test('each of which takes most of the window: named, and no more than perhaps', () => {
    const seen = recordOfRetrying([limit()], { seed: 1, eachMs: 2, strays: 0, strayMs: 0 })
    expect(found(seen)).toEqual({ kind, confidence: 'low', windowMs: 1000, burst, of: 1 })
  })
})

test.each([1, 2, 3])('windows of a second, calls that wait out stalls: known (seed %i)', (seed) => {
  const seen = recordOfStalling(fixedWindow(2, 1000), 1200, seed)
  expect(found(seen)).toEqual({
    kind: 'fixed-window',
    confidence: 'high',
    windowMs: 1000,
    burst: 2,
    of: 1,
  })
})

test('a bucket whose first calls stalled: whatever is named is named with a perhaps', () => {
  const seen = recordOfStalling(tokenBucket(2, 1000, 4), 1200, 2)
  expect(found(seen)).not.toMatchObject({ confidence: 'high' })
})
