// What two runs took of the quota, and what the difference comes to in a month.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reviewQuota } from '../../../src/analysis/comparison/quota-review.ts'
import type { Summary } from '../../../src/domain/summary.ts'
import { makeQuestion } from '../../support/questions.ts'
import { makeSummary } from '../../support/summaries.ts'
import { makeTurn } from '../../support/turns.ts'

/** A run of so many turns, each with the usage and the wait given. */
function runOf(
  turns: number,
  { certain = 1, possible = 0, notCounted = 0, wait = 0, tags = ['vpn'] } = {},
  more: Partial<Summary> = {},
): Summary {
  const usage = {
    attempts: certain + possible + notCounted,
    certain,
    possible,
    notCounted,
    min: certain,
    max: certain + possible,
  }
  const made = Array.from({ length: turns }, (_, place) =>
    makeTurn({
      question: makeQuestion(`q${place}`, `t${place}`, 1, { tags }),
      usage,
      waitMs: wait,
      rateLimited: notCounted,
    }),
  )
  return makeSummary(made, more)
}

test('by hand: usage, waiting, run time, and the month', () => {
  const baseline = runOf(100, { wait: 30 })
  const candidate = runOf(110, { possible: 1, notCounted: 2, wait: 50 })
  const review = reviewQuota(baseline, candidate)
  expect(review.baseline).toEqual({
    attempts: 100,
    min: 100,
    max: 100,
    turns: 100,
    callsPerTurn: 1,
    rate429: 0,
    waitMs: 3000,
    runMs: 300_000,
  })
  expect(review.candidate).toMatchObject({
    attempts: 440,
    min: 110,
    max: 220,
    callsPerTurn: 4,
    rate429: 0.5,
    waitMs: 5500,
  })
  // 10 to 120 more a night: × 30.4375 = 304.375 and 3652.5, outwards.
  expect(review.monthly).toEqual({ min: 304, max: 3653 })
  expect(reviewQuota(baseline, baseline)).toMatchObject({
    monthly: { min: 0, max: 0 },
  })
})

test('by tag: those of both runs, without what is known of the whole run only', () => {
  const { byTag } = reviewQuota(
    runOf(2, { tags: ['vpn', '__proto__', 'gone'] }),
    runOf(3, { tags: ['vpn', '__proto__', 'new'], possible: 1, wait: 10 }),
  )
  expect(Object.keys(byTag).toSorted()).toEqual(['__proto__', 'vpn'])
  expect(byTag['vpn']?.baseline).toMatchObject({
    attempts: 2,
    turns: 2,
    waitMs: 0,
    rate429: null,
    runMs: null,
  })
  expect(byTag['vpn']?.candidate).toMatchObject({ min: 3, max: 6, callsPerTurn: 2, waitMs: 30 })
})

test('what is not known is null, and never 0', () => {
  const whole = runOf(10)
  const nobody = runOf(0)
  expect(reviewQuota(nobody, nobody).baseline).toMatchObject({
    callsPerTurn: null,
    rate429: null,
    waitMs: null,
  })
  const half = makeSummary([makeTurn(), makeTurn({ outcome: undefined, result: undefined })])
  for (const other of [
    half,
    runOf(10, {}, { state: 'interrupted' }),
    runOf(10, {}, { state: 'incomplete' }),
  ]) {
    expect(reviewQuota(whole, other)).toMatchObject({ monthly: null })
    expect(reviewQuota(other, whole).monthly).toBeNull()
    expect(reviewQuota(whole, other).candidate.runMs).toBeNull()
  }
  const resumed = runOf(10, {}, { run: { ...whole.run, sittings: 2 } })
  expect(reviewQuota(whole, resumed)).toMatchObject({
    monthly: { min: 0, max: 0 },
    candidate: { runMs: null },
  })
  const endless = runOf(10, {}, { run: { ...whole.run, endedAt: null } })
  expect(reviewQuota(whole, endless).candidate.runMs).toBeNull()
})

test('against an allowance: what was named for the comparison, else what the candidate recorded', () => {
  const [baseline, candidate] = [runOf(100), runOf(110)]
  expect(reviewQuota(baseline, candidate).allowance).toBeNull()
  // 10 more a night: 304 a month, of 20 × 30.4375 = 608.75 calls.
  expect(reviewQuota(baseline, candidate, { calls: 20, period: 'day' }).allowance).toEqual({
    calls: 20,
    period: 'day',
    shareOfQuota: { baseline: 5, candidate: 5.5 },
    monthlyShare: { min: 304 / 608.75, max: 304 / 608.75 },
  })
  const recorded = {
    ...candidate,
    run: { ...candidate.run, quota: { calls: 1000, period: 'month' as const } },
  }
  expect(reviewQuota(baseline, recorded).allowance?.shareOfQuota.candidate).toBe(0.11)
  expect(reviewQuota(recorded, baseline).allowance).toBeNull()
  const half = reviewQuota(baseline, { ...recorded, state: 'incomplete' })
  expect(half.allowance).toMatchObject({ calls: 1000, monthlyShare: null })
})

const run = fc
  .record({ turns: fc.integer({ min: 1, max: 8 }), certain: fc.nat(3), possible: fc.nat(3) })
  .map(({ turns, ...usage }) => runOf(turns, usage))

test('swapping the runs negates the month; a run and itself may differ by nothing', () => {
  fc.assert(
    fc.property(run, run, (some, other) => {
      const [there, back] = [reviewQuota(some, other), reviewQuota(other, some)]
      expect(back.monthly).toEqual({ min: 0 - (there.monthly?.max ?? 0), max: 0 - (there.monthly?.min ?? 0) })
      expect([back.baseline, back.candidate]).toEqual([there.candidate, there.baseline])
      const own = reviewQuota(some, some).monthly
      expect(own?.min).toBeLessThanOrEqual(0)
      expect(own?.max).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: 50 },
  )
})

test('a candidate that failed takes no fewer calls a month: each turn is asked again', () => {
  expect(reviewQuota(runOf(10), runOf(10, { certain: 0 })).monthly).toEqual({ min: 0, max: 0 })
})
