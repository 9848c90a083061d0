// Repeats of a question: rates, what makes it flaky, and when it has passed.
import { describe, expect, test } from 'vitest'
import { foldRepeats, isFlaky, passes } from '../../src/analysis/asked.ts'
import { PASS_POLICIES } from '../../src/domain/turn.ts'
import type { Grade, GradedTurn } from '../../src/domain/turn.ts'
import { makeQuestion } from '../support/questions.ts'
import { makeReply, makeTurn } from '../support/turns.ts'

const question = makeQuestion('q', 't', 1)
const passed: Grade = { kind: 'passed' }
const failed: Grade = { kind: 'failed', failures: [{ expectation: 'expect_contains', sentence: 's' }] }
const lost: Grade = { kind: 'notGraded', reason: 'error' }
const none: Grade = { kind: 'none' }

const answered = (message: string, grade: Grade = none, source = 'KNOWLEDGE_BASE'): GradedTurn => ({
  turn: makeTurn({ question, result: makeReply(source, message) }),
  grade,
})
const fault: GradedTurn = {
  turn: makeTurn({ question, outcome: 'timeout', result: { kind: 'timeout', message: 'm' } }),
  grade: lost,
}
const skipped: GradedTurn = {
  turn: makeTurn({ question, outcome: 'skipped', result: undefined }),
  grade: lost,
}
const withoutContext: GradedTurn = { turn: makeTurn({ question, contextLost: true }), grade: lost }
const fold = (first: GradedTurn, ...rest: readonly GradedTurn[]): ReturnType<typeof foldRepeats> =>
  foldRepeats([first, ...rest], ['KNOWLEDGE_BASE'])

describe('repeats', () => {
  test('that agree', () => {
    const folded = fold(
      answered('Reset it.', passed),
      answered('reset  IT.', passed),
      answered('Reset it.', passed),
    )
    expect(folded).toEqual({
      id: 'q',
      answered: 3,
      passRate: 1,
      groundingRate: 1,
      passFlaky: false,
      groundFlaky: false,
    })
    expect(isFlaky(folded)).toBe(false)
  })

  test('that do not', () => {
    const folded = fold(
      answered('Reset it.', passed),
      answered('Ask them.', failed, 'MODEL'),
      answered('Ask it.', failed),
    )
    expect(folded).toMatchObject({ groundFlaky: true, passFlaky: true })
    expect(folded.passRate).toBeCloseTo(1 / 3, 12)
    expect(folded.groundingRate).toBeCloseTo(2 / 3, 12)
    expect(isFlaky(folded)).toBe(true)
  })

  test('leave errors and lost contexts out', () => {
    expect(fold(fault, skipped, withoutContext, answered('a b', passed))).toMatchObject({
      answered: 1,
      passRate: 1,
      groundingRate: 1,
      passFlaky: false,
    })
    expect(fold(fault)).toMatchObject({ answered: 0, passRate: null, groundingRate: null })
  })
})

describe('a question has passed', () => {
  test.each<[string, Grade[], (boolean | undefined)[]]>([
    ['3 of 3', [passed, passed, passed], [true, true, true]],
    ['2 of 3', [passed, failed, passed], [false, true, true]],
    ['1 of 3', [failed, failed, passed], [false, false, true]],
    ['0 of 3', [failed, failed, failed], [false, false, false]],
    ['2 of 4: half is no majority', [passed, passed, failed, failed], [false, false, true]],
    ['2 of 2 and an error', [passed, lost, passed], [true, true, true]],
    ['errors alone have no verdict', [lost, lost], [undefined, undefined, undefined]],
    ['nothing expected', [none, none], [undefined, undefined, undefined]],
  ])('%s', (_, grades, verdicts) => {
    expect(PASS_POLICIES.map((policy) => passes(policy, grades))).toEqual(verdicts)
  })
})
