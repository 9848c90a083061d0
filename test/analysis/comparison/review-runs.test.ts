// A candidate against its baseline: what is paired, what counts, what is known to be flaky.
import { describe, expect, test } from 'vitest'
import { groundingValue, questionValues } from '../../../src/analysis/comparison/question-values.ts'
import { reviewRuns, type RunReview } from '../../../src/analysis/comparison/review-runs.ts'
import { sensitivityOf } from '../../../src/analysis/comparison/sensitivity.ts'
import type { TurnSummary } from '../../../src/analysis/comparison/turn-summary.ts'
import { turnsIn } from '../../support/compared-turns.ts'

const OPTIONS = { minOverlap: 0.5, seed: 1 }
const review = (baseline: readonly TurnSummary[], candidate: readonly TurnSummary[]): RunReview =>
  reviewRuns(baseline, candidate, OPTIONS)

test('an error is counted as availability, and neither lost nor failed', () => {
  const before = turnsIn(['grounded', 'grounded', 'ungrounded', 'grounded', 'grounded'])
  const after = turnsIn(['grounded', 'timeout', 'grounded', 'ungrounded', 'skipped'])
  const { grounding, verdicts, availability } = review(before, after)
  expect([grounding.lost, grounding.gained]).toEqual([['q3'], ['q2']])
  expect(grounding).toMatchObject({ questions: 3, baseline: 2 / 3, candidate: 2 / 3 })
  expect([verdicts.passToFail, verdicts.failToPass]).toEqual([['q3'], ['q2']])
  expect(availability).toMatchObject({ questions: 5, baseline: 1, candidate: 0.6 })
  expect([availability.answerToError, availability.answerToSkipped]).toEqual([['q1'], ['q4']])
})

test('a question without an answer at one repeat is told apart from one that has none at any', () => {
  const repeated = (...runs: Parameters<typeof turnsIn>[0][]): TurnSummary[] =>
    runs.flatMap((states, place) => turnsIn(states).map((turn) => ({ ...turn, repeat: place + 1 })))
  const { availability } = review(
    repeated(['grounded', 'grounded', 'timeout', 'timeout'], ['grounded', 'grounded', 'grounded', 'timeout']),
    repeated(['grounded', 'timeout', 'grounded', 'grounded'], ['timeout', 'timeout', 'grounded', 'timeout']),
  )
  expect(availability).toMatchObject({
    answerToError: ['q0', 'q1'],
    errorToAnswer: ['q2'],
    errorInBoth: ['q3'],
    answeredToo: ['q0', 'q2', 'q3'],
  })
})

test('turns that one run has not asked say nothing of the endpoint', () => {
  const { availability, grounding } = review(
    turnsIn(['grounded', 'grounded']),
    turnsIn(['grounded', 'notAsked']),
  )
  expect(availability).toMatchObject({ questions: 1, baseline: 1, candidate: 1, notAsked: ['q1'] })
  expect(grounding.questions).toBe(1)
})

test('a low overlap gives no headline, and keeps the lists', () => {
  const before = turnsIn(['grounded', 'grounded', 'grounded'])
  const after = turnsIn(['ungrounded', 'grounded', 'grounded']).map((turn, place) =>
    place === 0 ? turn : { ...turn, id: `other${place}`, message: `other ${place}`, thread: `other${place}` },
  )
  const { overlap, grounding, latency } = review(before, after)
  expect(overlap).toMatchObject({ shared: 1, share: 0.2, isLow: true })
  expect(grounding).toMatchObject({ difference: null, p: null, lost: ['q0'] })
  expect(latency.turns).toBe(0)
})

test('shuffled rows give the same figures', () => {
  const states = [
    'grounded',
    'ungrounded',
    'grounded',
    'wrong',
    'grounded',
    'grounded',
    'ungrounded',
  ] as const
  const threads = ['a', 'a', 'b', 'b', 'c', 'd', 'd']
  const place = (turns: TurnSummary[]): TurnSummary[] =>
    turns.map((turn, at) => ({ ...turn, thread: threads[at] ?? '', turn: (at % 2) + 1 }))
  const before = place(turnsIn(states))
  const after = place(turnsIn(states.toReversed()))
  const { grounding } = review(before, after)
  const shuffled = review(before.toReversed(), [...after.slice(3), ...after.slice(0, 3)])
  expect({ ...shuffled.grounding, lost: shuffled.grounding.lost.toSorted() }).toEqual({
    ...grounding,
    lost: grounding.lost.toSorted(),
    gained: shuffled.grounding.gained,
  })
})

test('a question whose repeats in the baseline differ is flaky: their share takes the place of its value', () => {
  const baseline = ['grounded', 'ungrounded', 'ungrounded', 'grounded'].map((state, repeat) => ({
    ...turnsIn([state as 'grounded'])[0],
    repeat: repeat + 1,
  })) as TurnSummary[]
  const { grounding, values } = review(baseline, turnsIn(['ungrounded']))
  expect([grounding.lost, grounding.flaky]).toEqual([[], ['q0']])
  expect(values.grounding.at(0)).toMatchObject({ baseline: 1 / 2, candidate: 0 })
})

test('repeats are folded to one value a question', () => {
  const before = ['grounded', 'grounded', 'ungrounded'].map((state, repeat) => ({
    ...turnsIn([state as 'grounded'])[0],
    repeat: repeat + 1,
  })) as TurnSummary[]
  const pair = { baseline: before, candidate: turnsIn(['timeout', 'grounded']).slice(0, 1) }
  expect(questionValues([pair], groundingValue)).toEqual([])
  const answered = { baseline: before, candidate: turnsIn(['ungrounded']) }
  expect(questionValues([answered], groundingValue)).toMatchObject([{ baseline: 2 / 3, candidate: 0 }])
})

describe('what a gate would have seen', () => {
  const values = (count: number, moved: number): Parameters<typeof sensitivityOf>[0] =>
    Array.from({ length: count }, (_, place) => ({
      id: `${place}`,
      thread: `${place}`,
      tags: [],
      baseline: 1,
      candidate: place < moved ? 0 : 1,
    }))
  test('is smaller with more questions, larger with a larger margin, and null where nothing could be', () => {
    const [few, many] = [sensitivityOf(values(50, 0), 0.025, 0), sensitivityOf(values(500, 0), 0.025, 0)]
    expect(few?.drop).toBeGreaterThan(many?.drop ?? 1)
    expect(sensitivityOf(values(500, 0), 0.025, 0.1)?.drop).toBeGreaterThan(0.1)
    expect(sensitivityOf(values(3, 0), 0.025, 0)?.drop).toBeNull()
    expect(sensitivityOf(values(1, 0), 0.025, 0)).toBeNull()
  })
  test('by hand: all of seven lost is the least that McNemar sees at 2.5 %, so 0.80 of power needs most of them', () => {
    // 2 × 2^−7 = .0156 ≤ .025 < 2 × 2^−6: of 7 pairs all must be lost. Four fifths of the way from six to seven.
    expect(sensitivityOf(values(7, 0), 0.025, 0)).toMatchObject({ pairs: 7, alpha: 0.025 })
    expect(sensitivityOf(values(7, 0), 0.025, 0)?.drop).toBeCloseTo(6.8 / 7, 6)
  })
})
