// What the page is told of a turn: expectations with what was met, the repeat that shows a change, reviews.
import { expect, test } from 'vitest'
import { pageTurns } from '../../src/analysis/conversations.ts'
import type { PageChange } from '../../src/domain/conversations.ts'
import type { Grade } from '../../src/domain/turn.ts'
import { makeQuestion } from '../support/questions.ts'
import { makeReply, makeTurn } from '../support/turns.ts'

const question = makeQuestion('vpn-1', 'vpn', 1, {
  expect: { source: { not: false, value: 'KNOWLEDGE_BASE' }, contains: ['portal', 'licence'] },
})
const change: PageChange = {
  kinds: ['lost'],
  answer: 'before',
  source: 'MODEL',
  outcome: 'answered',
  factsLost: [],
  factsGained: [],
}
const options = {
  groundedSources: ['KNOWLEDGE_BASE'],
  reviewingOf: () => ({ kind: 'reviewed', review: 'good', note: 'n' }) as const,
  changes: new Map([['vpn-1', { repeat: 2, change }]]),
}
const failed: Grade = {
  kind: 'failed',
  failures: [{ expectation: 'expect_contains', sentence: 'does not contain portal' }],
}

test('each expectation says what was expected, and whether it was met', () => {
  const [turn] = pageTurns(
    [{ turn: makeTurn({ question, result: makeReply('KNOWLEDGE_BASE') }), grade: failed }],
    options,
  )
  expect(turn?.checks).toEqual([
    { column: 'expect_source', expected: 'KNOWLEDGE_BASE', met: true, found: null },
    { column: 'expect_contains', expected: 'portal | licence', met: false, found: 'does not contain portal' },
  ])
  expect(turn).toMatchObject({
    passed: false,
    grounded: true,
    review: { word: 'good', note: 'n' },
    flaky: false,
  })
})

test('only the repeat that shows a change has it, and repeats that differ are flaky', () => {
  const asked = (repeat: number, source: string) => ({
    turn: makeTurn({ question, repeat, result: makeReply(source) }),
    grade: { kind: 'none' } as const,
  })
  const turns = pageTurns([asked(1, 'KNOWLEDGE_BASE'), asked(2, 'MODEL')], options)
  expect(turns.map((turn) => [turn.repeat, turn.change, turn.flaky])).toEqual([
    [1, null, true],
    [2, change, true],
  ])
})

test('an error is not graded, and has no review', () => {
  const turn = makeTurn({ question, outcome: 'timeout', result: { kind: 'timeout', message: 'too late' } })
  const [shown] = pageTurns([{ turn, grade: { kind: 'notGraded', reason: 'error' } }], options)
  expect(shown).toMatchObject({
    answer: null,
    error: 'too late',
    checks: [],
    review: null,
    needsReview: false,
  })
})
