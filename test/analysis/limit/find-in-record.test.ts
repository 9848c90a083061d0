// The limit from a run's record: where it is looked for at all, and what is told of a record that was too long to hold.
import { describe, expect, test } from 'vitest'
import { findLimitInRecord } from '../../../src/analysis/limit/find-in-record.ts'
import { limitFindingSchema, type LimitTrace } from '../../../src/domain/limit.ts'
import { fixedWindow, slidingWindow, tokenBucket } from '../../../src/sandbox/limits/models.ts'
import { gatheredOf, recordOf, WALL_AT_ZERO } from './records.ts'

const habit = { perSecond: 8, calls: 500, seed: 1, jitterMs: 15, restEvery: 50, restMs: 6000 }
const found = (seen: Parameters<typeof gatheredOf>[0]) => findLimitInRecord(gatheredOf(seen))

test('fewer than three refusals: nothing is said', () => {
  const seen = recordOf([fixedWindow(20, 5000)], habit)
  const refusals = seen.filter((one) => one.refused)
  const withOnly = (count: number) => [...seen.filter((one) => !one.refused), ...refusals.slice(0, count)]
  expect([0, 1, 2, 3].map((count) => found(withOnly(count)) === null)).toEqual([true, true, true, false])
})

test('windows of the clock are found by the clock of the journal', () => {
  expect(found(recordOf([fixedWindow(20, 5000)], habit))).toMatchObject({
    kind: 'fixed-window',
    confidence: 'high',
    tiers: [{ variant: 'clock', windowMs: { value: 5000 } }],
    evidence: { calls: 500 },
  })
})

test('a limit that changed: when, by the clock', () => {
  const before = recordOf([tokenBucket(6, 1000, 10)], { ...habit, perSecond: 9, calls: 300 })
  const shift = (before.at(-1)?.endedMs ?? 0) + 1000
  const after = recordOf([tokenBucket(2, 1000, 10)], { ...habit, seed: 2, calls: 240 })
  const later = after.map((call) => ({ ...call, sentMs: call.sentMs + shift, endedMs: call.endedMs + shift }))
  const finding = found([...before, ...later])
  expect(finding?.reasons).toContain('limit-changed')
  const changedAt = (finding?.evidence.changedAtMs ?? 0) - WALL_AT_ZERO
  expect(changedAt / shift).toBeCloseTo(1, 0)
})

test('calls that were forgotten on the way are told all the same', () => {
  const seen = recordOf([fixedWindow(100, 5000)], { ...habit, perSecond: 24, calls: 32_000, restEvery: 800 })
  const gathered = gatheredOf(seen)
  expect(gathered.seen.length).toBeLessThan(seen.length)
  const finding = findLimitInRecord(gathered)
  expect(finding).toMatchObject({ kind: 'fixed-window', burst: { value: 100 }, windowMs: { value: 5000 } })
  expect(finding?.evidence).toMatchObject({
    calls: 32_000,
    refusals: seen.filter((one) => one.refused).length,
  })
  expect(finding?.reasons).toContain('part-of-record-used')
})

describe('how full the limit was', () => {
  const split = ({ level, refused }: LimitTrace) => ({
    passed: level.filter((_, place) => refused[place] === false),
    refused: level.filter((_, place) => refused[place] === true),
  })

  test.each([
    ['a window', fixedWindow(20, 5000), 20, 500],
    ['a bucket', tokenBucket(4, 1000, 12), 12, 500],
    ['a window of many calls', slidingWindow(300, 60_000), 300, 3000],
  ])(
    '%s: calls let through stay under what it allows, refused ones stand over it',
    (_, limit, allowed, calls) => {
      const finding = found(recordOf([limit], { ...habit, calls, jitterMs: 1 }))
      const [trace] = finding?.traces ?? []
      if (trace === undefined) throw new Error('no trace')
      expect(limitFindingSchema.parse(finding)).toEqual(finding)
      expect(trace.allowed).toBe(allowed)
      expect([trace.level.length, trace.refused.length]).toEqual([trace.atMs.length, trace.atMs.length])
      expect(trace.atMs.length).toBeLessThanOrEqual(400)
      expect(trace.atMs).toEqual(trace.atMs.toSorted((a, b) => a - b))
      const { passed, refused } = split(trace)
      expect(refused.length).toBeGreaterThan(2)
      expect(Math.max(...passed)).toBeLessThanOrEqual(allowed + 0.1)
      expect(Math.min(...refused)).toBeGreaterThan(allowed - 0.1)
    },
  )
})
