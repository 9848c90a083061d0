// A row of a comparison as a turn of the page.
import { describe, expect, test } from 'vitest'
import { comparisonTurn } from '../../../src/report/page/comparison-turn.ts'
import { makeAsked, makeRow, makeSide } from '../../support/comparisons.ts'

const turnOf = (row: ReturnType<typeof makeRow>) => comparisonTurn(row)

describe('a question in both runs', () => {
  test('has both answers and what differs', () => {
    const turn = turnOf(
      makeRow('q', {
        kinds: ['factsChanged'],
        similarity: 0.5,
        asked: makeAsked({ passed: false }),
        baseline: { ...makeSide('q', { latencyMs: 5 }), answer: 'in 30 days' },
        candidate: { ...makeSide('q', { passRate: 0, failures: ['says 14'] }), answer: 'in 14 days' },
      }),
    )
    expect(turn).toMatchObject({
      answer: 'in 14 days',
      grounded: true,
      passed: false,
      failures: ['says 14'],
      attempts: 1,
      conversationId: 'c1',
    })
    expect(turn.change).toMatchObject({ presence: 'both', answer: 'in 30 days', latencyMs: 5, passed: null })
  })
})

test.each([
  [
    'an error is no failed expectation, and never from elsewhere',
    { outcome: 'timeout', source: '(error)', failures: ['took 120 s'] },
    { grounded: null },
    { error: 'took 120 s', failures: [], passed: null, grounded: null },
  ],
  [
    'an answer without its context is not judged',
    { source: '(context lost)' },
    { grounded: null, contextLost: true },
    { contextLost: true, passed: null, grounded: null },
  ],
  ['a pass', { passRate: 1 }, { passed: true }, { passed: true, grounded: true }],
  ['from elsewhere', { source: 'MODEL' }, { grounded: false }, { passed: null, grounded: false }],
  [
    'of repeats that differ, the one that is shown, whatever the sources of all are',
    { passRate: 0.5, source: 'KNOWLEDGE_BASE / (error)' },
    { passed: true },
    { passed: true, grounded: true },
  ],
] as const)('%s', (_, side, asked, expected) => {
  const answer = 'outcome' in side ? null : 'An answer.'
  const row = makeRow('q', { candidate: { ...makeSide('q', side), answer }, asked: makeAsked(asked) })
  expect(turnOf(row)).toMatchObject(expected)
})

test('added, edited and removed questions are compared with nothing', () => {
  expect(turnOf(makeRow('q', { presence: 'added', baseline: null })).change).toBeNull()
  expect(turnOf(makeRow('q', { presence: 'removed', candidate: null, asked: null }))).toMatchObject({
    source: '(removed)',
    outcome: null,
    answer: null,
    grounded: null,
    change: { presence: 'removed', answer: 'An answer.' },
  })
  const edited = makeRow('q', { presence: 'edited', baseline: { ...makeSide('q'), answer: 'Another.' } })
  expect(turnOf(edited).change).toMatchObject({ presence: 'edited' })
})

test.each([
  [null, null],
  [
    { kind: 'reviewed', by: 'text', review: 'good', note: 'n' },
    { state: 'carried', word: 'good', note: 'n' },
  ],
  [
    { kind: 'new', note: '' },
    { state: 'new', word: null, note: '' },
  ],
  [
    { kind: 'changed', before: { questionId: 'q', answer: 'a', review: 'poor', note: 'b' }, note: 'c' },
    { state: 'changed', word: 'poor', note: 'c' },
  ],
] as const)('reviewing %j', (reviewing, review) => {
  expect(turnOf(makeRow('q', { reviewing })).review).toEqual(review)
})
