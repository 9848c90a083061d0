// Flips, errors and lost contexts of pairs, each in its own list.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { labelOf, transitionsOf } from '../../../src/analysis/comparison/transitions.ts'
import { turnSummaryOf, type TurnSummary } from '../../../src/analysis/comparison/turn-summary.ts'
import type { Grade } from '../../../src/domain/grade.ts'
import type { TurnRecord } from '../../../src/domain/turn.ts'
import { makeQuestion } from '../../support/questions.ts'
import { makeReply, makeTurn } from '../../support/turns.ts'

const passed: Grade = { kind: 'passed' }
const failed: Grade = { kind: 'failed', failures: [{ expectation: 'expect_source', sentence: 'is wrong' }] }
const none: Grade = { kind: 'none' }
const summary = (more: Partial<TurnRecord>, grade: Grade = none): TurnSummary =>
  turnSummaryOf({ turn: makeTurn({ question: makeQuestion('q', 't', 1), ...more }), grade }, [
    'KNOWLEDGE_BASE',
  ])

const states = {
  grounded: summary({}, passed),
  wrong: summary({}, failed),
  ungrounded: summary({ result: makeReply('LLM') }, failed),
  odd: summary({ result: makeReply('(error)') }),
  timeout: summary({ outcome: 'timeout', result: undefined }, { kind: 'notGraded', reason: 'error' }),
  skipped: summary({ outcome: 'skipped', result: undefined }, { kind: 'notGraded', reason: 'skipped' }),
  notAsked: summary({ outcome: undefined, result: undefined }, { kind: 'notGraded', reason: 'notAsked' }),
  lost: summary({ contextLost: true }, { kind: 'notGraded', reason: 'contextLost' }),
}
type State = keyof typeof states
const names = Object.keys(states) as State[]

/** The lists that a pair stands in. */
function listsOf(from: State, to: State): string[] {
  const result = transitionsOf([{ baseline: states[from], candidate: states[to] }])
  const { grounding, verdict, availability, context } = result
  return Object.entries({ grounding, verdict, availability, context }).flatMap(([family, lists]) =>
    Object.entries(lists).flatMap(([name, list]) => (list.length > 0 ? [`${family}.${name}`] : [])),
  )
}

test.each<[State, State, string[]]>([
  ['grounded', 'grounded', []],
  ['grounded', 'ungrounded', ['grounding.lost', 'verdict.passToFail']],
  ['ungrounded', 'grounded', ['grounding.gained', 'verdict.failToPass']],
  ['grounded', 'wrong', ['verdict.passToFail']],
  ['wrong', 'ungrounded', ['grounding.lost', 'verdict.failInBoth']],
  ['grounded', 'odd', ['grounding.lost']],
  ['grounded', 'timeout', ['availability.answerToError']],
  ['timeout', 'wrong', ['availability.errorToAnswer']],
  ['timeout', 'skipped', ['availability.errorInBoth']],
  ['grounded', 'skipped', ['availability.answerToSkipped']],
  ['skipped', 'grounded', ['availability.skippedToAnswer']],
  ['grounded', 'notAsked', ['availability.notAsked']],
  ['notAsked', 'timeout', ['availability.notAsked']],
  ['grounded', 'lost', ['context.lost']],
  ['lost', 'ungrounded', ['context.regained']],
  ['lost', 'timeout', ['availability.answerToError']],
])('from %s to %s', (from, to, lists) => {
  expect(listsOf(from, to)).toEqual(lists)
})

test('the matrix keeps the values as they are, and a source of that name apart from an error', () => {
  const pairs = [
    ['grounded', 'ungrounded'],
    ['grounded', 'odd'],
    ['grounded', 'timeout'],
    ['notAsked', 'skipped'],
    ['grounded', 'ungrounded'],
    ['lost', 'grounded'],
  ] as const
  const { matrix } = transitionsOf(
    pairs.map(([from, to]) => ({ baseline: states[from], candidate: states[to] })),
  )
  expect(matrix.map(({ from, to, count }) => [labelOf(from), labelOf(to), count])).toEqual([
    ['KNOWLEDGE_BASE', 'LLM', 2],
    ['(context lost)', 'KNOWLEDGE_BASE', 1],
    ['(not asked)', '(skipped)', 1],
    ['KNOWLEDGE_BASE', '(error)', 1],
    ['KNOWLEDGE_BASE', '(error)', 1],
  ])
})

test('counts add up, order does not matter, and the other way round is the mirror', () => {
  const state = fc.constantFrom(...names)
  const pairs = fc.array(fc.tuple(state, state), { maxLength: 30 })
  const count = (rows: readonly (readonly [State, State])[]): ReturnType<typeof transitionsOf> =>
    transitionsOf(rows.map(([from, to]) => ({ baseline: states[from], candidate: states[to] })))
  fc.assert(
    fc.property(pairs, (rows) => {
      const [there, back] = [count(rows), count(rows.map(([from, to]) => [to, from]))]
      expect(there.matrix.reduce((sum, cell) => sum + cell.count, 0)).toBe(rows.length)
      expect(count(rows.toReversed()).matrix).toEqual(there.matrix)
      expect(there.grounding.lost.length).toBe(back.grounding.gained.length)
      expect(there.verdict.passToFail.length).toBe(back.verdict.failToPass.length)
      expect(there.availability.answerToError.length).toBe(back.availability.errorToAnswer.length)
      expect(there.availability.notAsked.length).toBe(back.availability.notAsked.length)
      expect(there.context.lost.length).toBe(back.context.regained.length)
      const same = count(rows.map(([from]) => [from, from]))
      expect([same.grounding, same.context]).toEqual([
        { lost: [], gained: [] },
        { lost: [], regained: [] },
      ])
    }),
  )
})
