// An estimate by hand: calls and words by file and tag, shares, nightly use.
import { expect, test } from 'vitest'
import { estimateRun, type EstimateRules } from '../../../src/analysis/estimate/estimate.ts'
import type { Estimate } from '../../../src/domain/estimate.ts'
import type { Question } from '../../../src/domain/question.ts'
import { openThread } from '../../../src/runner/thread-state.ts'
import { makeQuestion } from '../../support/questions.ts'

const rules: EstimateRules = {
  restartOnAmbiguous: true,
  rotatingIds: false,
  callsLeft: null,
  quota: { calls: 100, period: 'month' },
  time: {
    pace: { kind: 'paced', perSecond: 2 },
    concurrency: 64,
    answerMs: 3000,
    answerSource: 'given',
  },
}

/** Two files: a thread of two turns, of which the first must pass, and one question alone. */
const questions: readonly [Question, ...Question[]][] = [
  [
    makeQuestion('a1', 'a', 1, { tags: ['vpn'], mustPass: true, message: 'How do I\nset it up?' }),
    makeQuestion('a2', 'a', 2, { tags: ['vpn', 'phone'], message: 'Grüß 👍' }),
  ],
  [makeQuestion('b1', 'b', 1, { tags: ['phone'], file: 1, message: 'one' })],
]

function estimateOf(more: Partial<EstimateRules> = {}, repeat = 1): Estimate {
  let index = 0
  const threads = questions.map(([first, ...rest]) => {
    const planned = [first, ...rest].map((question) => ({ index: index++, question }))
    return [planned[0] ?? { index: 0, question: first }, ...planned.slice(1)] as const
  })
  const chains = threads.map(([first, ...rest], order) => openThread(order, [first, ...rest], 1))
  return estimateRun({ chains, repeat, files: [{ path: 'a.csv' }, { path: 'b.csv' }] }, { ...rules, ...more })
}

test('calls: base, and the worst case with its parts', () => {
  const { calls, threads, questions: count, longestThread } = estimateOf()
  expect([threads, count, longestThread]).toEqual([2, 3, 2])
  // Thread a: 2 + 2. Thread b: 1 + 1.
  expect(calls).toEqual({
    base: 3,
    worst: 6,
    restarts: 3,
    worstAttempts: 300,
    maxCalls: null,
  })
  expect(estimateOf({ restartOnAmbiguous: false }).calls).toMatchObject({ base: 3, worst: 3 })
  expect(estimateOf({}, 3).calls).toMatchObject({ base: 9, worst: 18 })
  expect(estimateOf({ callsLeft: 2 }).calls).toMatchObject({
    base: 3,
    worst: 2,
    worstAttempts: 2,
    maxCalls: 2,
  })
})

test('words and characters as they are sent, by file and tag', () => {
  const { words, characters, files, tags } = estimateOf({}, 2)
  expect([words, characters]).toEqual([2 * (6 + 2 + 1), 2 * (19 + 6 + 3)])
  expect(files.map(({ path, threads, questions: count, calls }) => [path, threads, count, calls])).toEqual([
    ['a.csv', 1, 2, { base: 4, worst: 8 }],
    ['b.csv', 1, 1, { base: 2, worst: 4 }],
  ])
  expect(Object.entries(tags).map(([tag, { threads, calls }]) => [tag, threads, calls.base])).toEqual([
    ['phone', 2, 4],
    ['vpn', 1, 4],
  ])
})

test('share of the allowance, runs that fit in it, and nightly use', () => {
  const { quota, use } = estimateOf()
  expect(quota).toEqual({
    calls: 100,
    period: 'month',
    shareOfQuota: { base: 0.03, worst: 0.06 },
    runs: { base: 33, worst: 16 },
  })
  // 3 × 30.4375 = 91.3; 6 × 30.4375 = 182.6.
  expect(use).toMatchObject({
    period: 'month',
    nightly: { base: 91, worst: 183, shareOfQuota: { base: 0.91, worst: 1.83 } },
  })
  expect(estimateOf({ quota: null })).toMatchObject({ quota: null, use: { nightly: { shareOfQuota: null } } })
  // A run that --max-calls ends costs no more than that.
  expect(estimateOf({ callsLeft: 2 }).quota).toMatchObject({ shareOfQuota: { base: 0.02, worst: 0.02 } })
})

test('time at a known pace, and from no limit to the pace that an unknown one begins with', () => {
  // Three starts half a second apart; thread a waits for its first answer: 0 s and 3 s, done at 6 s.
  expect(estimateOf().time).toMatchObject({
    answerMs: 3000,
    atLeastMs: { pace: 4000, longestThread: 6000, concurrency: 9000 / 64 },
    expectedMs: { low: 6000, high: 6000 },
  })
  const unknown = { kind: 'unknown', startPerSecond: 0.1 } as const
  expect(estimateOf({ time: { ...rules.time, pace: unknown } }).time).toMatchObject({
    atLeastMs: { pace: null },
    expectedMs: { low: 6000, high: 23_000 },
  })
})

test('of a run that --max-calls ends: how long its calls take, beside the time of all', () => {
  expect(estimateOf().time.withinBudgetMs).toBeNull()
  expect(estimateOf({ callsLeft: 3 }).time.withinBudgetMs).toBeNull()
  // The first calls of two threads, half a second apart.
  expect(estimateOf({ callsLeft: 2 }).time).toMatchObject({
    expectedMs: { low: 6000, high: 6000 },
    withinBudgetMs: { low: 3500, high: 3500 },
  })
  const unknown = { kind: 'unknown', startPerSecond: 0.1 } as const
  expect(estimateOf({ callsLeft: 2, time: { ...rules.time, pace: unknown } }).time.withinBudgetMs).toEqual({
    low: 3000,
    high: 13_000,
  })
})

test('of nothing: no time to an answer', () => {
  const { time, calls } = estimateRun({ chains: [], repeat: 1, files: [{ path: 'a.csv' }] }, rules)
  expect(calls).toMatchObject({ base: 0, worst: 0 })
  expect(time).toMatchObject({ answerMs: null, answerSource: null, expectedMs: { low: 0, high: 0 } })
})
