// What became of a question: flips, errors, lost contexts, and the matrix of sources.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { KnownFlaky } from '../../../src/analysis/comparison/known-flaky.ts'
import { kindsOf } from '../../../src/analysis/comparison/question-kinds.ts'
import { sourceLabel } from '../../../src/analysis/comparison/answer-source.ts'
import { transitionMatrix } from '../../../src/analysis/comparison/transition-matrix.ts'
import type { ChangeKind } from '../../../src/domain/comparison/change.ts'
import { states, type State } from '../../support/compared-turns.ts'

const names = Object.keys(states) as State[]
const steady: KnownFlaky = { grounding: () => undefined, verdict: () => undefined }
const kinds = (from: readonly State[], to: readonly State[], flaky = steady): readonly ChangeKind[] =>
  kindsOf({ baseline: from.map((one) => states[one]), candidate: to.map((one) => states[one]) }, flaky).kinds

test.each<[State, State, ChangeKind[]]>([
  ['grounded', 'grounded', []],
  ['grounded', 'ungrounded', ['groundingLost', 'passToFail']],
  ['ungrounded', 'grounded', ['groundingGained', 'failToPass']],
  ['grounded', 'wrong', ['passToFail']],
  ['wrong', 'ungrounded', ['groundingLost', 'failInBoth']],
  ['grounded', 'odd', ['groundingLost']],
  ['ungrounded', 'odd', ['sourceChanged']],
  ['grounded', 'timeout', ['answerToError']],
  ['timeout', 'wrong', ['errorToAnswer']],
  ['timeout', 'skipped', []],
  ['grounded', 'skipped', ['answerToSkipped']],
  ['skipped', 'grounded', ['skippedToAnswer']],
  ['grounded', 'notAsked', []],
  ['notAsked', 'timeout', []],
  ['grounded', 'lost', ['contextLost']],
  ['lost', 'ungrounded', ['contextRegained']],
  ['lost', 'timeout', ['answerToError', 'contextRegained']],
])('from %s to %s: %j', (from, to, expected) => {
  expect(kinds([from], [to])).toEqual(expected)
})

describe('repeats', () => {
  test('that differ within a run are flaky, and no flip', () => {
    expect(kinds(['grounded', 'ungrounded'], ['ungrounded', 'ungrounded'])).toEqual(['flaky'])
    expect(kinds(['grounded', 'grounded'], ['ungrounded', 'grounded'])).toEqual(['flaky'])
  })
  test('that all changed are a flip, however many there are in each run', () => {
    expect(kinds(['grounded', 'grounded', 'grounded'], ['ungrounded'])).toEqual([
      'groundingLost',
      'passToFail',
    ])
  })
  test('of which one ended in an error are less available', () => {
    expect(kinds(['grounded', 'grounded'], ['grounded', 'timeout'])).toEqual(['answerToError'])
  })
})

test('a question that earlier runs know as flaky does not flip', () => {
  const known: KnownFlaky = { grounding: () => 0.6, verdict: () => undefined }
  expect(kinds(['grounded'], ['ungrounded'], known)).toEqual(['passToFail', 'flaky'])
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
  const matrix = transitionMatrix(
    pairs.map(([from, to]) => ({ baseline: states[from], candidate: states[to] })),
  )
  expect(matrix.map(({ from, to, count }) => [sourceLabel(from), sourceLabel(to), count])).toEqual([
    ['KNOWLEDGE_BASE', 'LLM', 2],
    ['(context lost)', 'KNOWLEDGE_BASE', 1],
    ['(not asked)', '(skipped)', 1],
    ['KNOWLEDGE_BASE', '(error)', 1],
    ['KNOWLEDGE_BASE', '(error)', 1],
  ])
})

const MIRROR: Partial<Record<ChangeKind, ChangeKind>> = {
  groundingLost: 'groundingGained',
  passToFail: 'failToPass',
  answerToError: 'errorToAnswer',
  answerToSkipped: 'skippedToAnswer',
  contextLost: 'contextRegained',
}
const mirrored = (kind: ChangeKind): ChangeKind =>
  MIRROR[kind] ??
  (Object.entries(MIRROR).find(([, other]) => other === kind)?.[0] as ChangeKind | undefined) ??
  kind

test('the other way round is the mirror, and a question with itself has not changed', () => {
  const repeats = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(repeats, repeats, (from, to) => {
      expect(new Set(kinds(to, from))).toEqual(new Set(kinds(from, to).map(mirrored)))
      expect(kinds(from, from).filter((kind) => kind !== 'failInBoth')).toEqual([])
    }),
    { numRuns: 500 },
  )
})
