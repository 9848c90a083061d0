// A question with its repeats as turns of the page.
import { expect, test } from 'vitest'
import { runTurns } from '../../../src/analysis/page/run-turns.ts'
import type { Grade } from '../../../src/domain/turn.ts'
import { makeReply, makeTurn } from '../../support/turns.ts'
import { makeQuestion } from '../../support/questions.ts'

const options = {
  groundedSources: ['KNOWLEDGE_BASE'],
  reviewOf: () => null,
  changeOf: () => ({ change: null, changeAt: null }),
}
const passed: Grade = { kind: 'passed' }
const failed: Grade = {
  kind: 'failed',
  failures: [{ expectation: 'expect_contains', sentence: 'does not contain "x"' }],
}
const question = makeQuestion('q', 't', 2, { tags: ['vpn'], mustPass: true })

test('an answer with its verdict, and whether its repeats differ', () => {
  const repeats = [
    { turn: makeTurn({ question, serviceMs: 12 }), grade: passed },
    { turn: makeTurn({ question, repeat: 2, result: makeReply('MODEL', 'Other.') }), grade: failed },
  ]
  const turns = runTurns(repeats, options)
  expect(turns).toMatchObject([
    {
      id: 'q',
      thread: 't',
      turn: 2,
      repeat: 1,
      answer: 'An answer.',
      source: 'KNOWLEDGE_BASE',
      grounded: true,
      passed: true,
      failures: [],
      flaky: true,
      latencyMs: 12,
      conversationId: 'c1',
      mustPass: true,
      tags: ['vpn'],
    },
    {
      repeat: 2,
      answer: 'Other.',
      source: 'MODEL',
      grounded: false,
      passed: false,
      failures: ['does not contain "x"'],
      flaky: true,
    },
  ])
})

test('an error has no answer, and nothing is 0 that is not known', () => {
  const turn = makeTurn({
    question,
    outcome: 'timeout',
    result: { kind: 'timeout', message: 'took too long' },
    serviceMs: undefined,
    waitMs: undefined,
  })
  const [shown] = runTurns([{ turn, grade: { kind: 'notGraded', reason: 'error' } }], options)
  expect(shown).toMatchObject({
    answer: null,
    source: '(error)',
    error: 'took too long',
    grounded: null,
    passed: null,
    latencyMs: null,
    waitMs: null,
    review: null,
  })
})

test('not asked', () => {
  const turn = makeTurn({ question, outcome: undefined, result: undefined })
  const [shown] = runTurns([{ turn, grade: { kind: 'notGraded', reason: 'notAsked' } }], options)
  expect(shown).toMatchObject({ outcome: null, source: '(not asked)', error: null })
})
