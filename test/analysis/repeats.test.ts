// Protects the rates of a repeated question. test/recorded covers rates, pass policies and flaky questions of whole runs.
import { expect, test } from 'vitest'
import { isFlaky, meetsPolicy, summariseRepeats } from '../../src/analysis/repeats.ts'
import { type Grade, type GradedTurn, PASS_POLICIES } from '../../src/domain/turn.ts'
import { makeReply, makeTurn } from '../support/turns.ts'

const passed: Grade = { kind: 'passed' }
const lost: Grade = { kind: 'notGraded' }
const answered = (grade: Grade, source = 'KNOWLEDGE_BASE'): GradedTurn => ({
  turn: makeTurn({ result: makeReply(source) }),
  grade,
})
const fault: GradedTurn = {
  turn: makeTurn({ outcome: 'timeout', result: { kind: 'timeout', message: 'm' } }),
  grade: lost,
}
const skipped: GradedTurn = { turn: makeTurn({ outcome: 'skipped', result: undefined }), grade: lost }
const withoutContext: GradedTurn = { turn: makeTurn({ contextLost: true }), grade: lost }
const summarise = (first: GradedTurn, ...rest: readonly GradedTurn[]): ReturnType<typeof summariseRepeats> =>
  summariseRepeats([first, ...rest], ['KNOWLEDGE_BASE'])

test('rates leave out errors and lost contexts', () => {
  const counted = { answered: 1, passRate: 1, groundingRate: 1 }
  expect(summarise(fault, skipped, withoutContext, answered(passed))).toMatchObject(counted)
  expect(summarise(fault)).toMatchObject({ answered: 0, passRate: null, groundingRate: null })
})

test('a question is flaky if only its grounding differs', () => {
  expect(isFlaky(summarise(answered(passed), answered(passed, 'MODEL')))).toBe(true)
  expect(isFlaky(summarise(answered(passed), answered(passed)))).toBe(false)
  expect(isFlaky(summarise(fault, skipped, withoutContext, answered(passed)))).toBe(false)
})

test.each<[passed: number, failed: number, policies: readonly string[]]>([
  [2, 0, ['all', 'majority', 'any']],
  [2, 1, ['majority', 'any']],
  // Half is not more than half.
  [1, 1, ['any']],
  [1, 2, ['any']],
  [0, 1, []],
])('%i passed and %i failed meet %j', (good, bad, policies) => {
  expect(PASS_POLICIES.filter((policy) => meetsPolicy(policy, good, bad))).toEqual(policies)
})
