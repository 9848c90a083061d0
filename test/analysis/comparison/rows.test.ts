// Protects how a question is compared: changes of grounding, verdict, errors and context, flaky questions, the repeats
// that are shown, what is said of edited articles, and counts beyond the list of changes.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findEdits } from '../../../src/analysis/comparing/edits.ts'
import {
  changedQuestions,
  changesBetween,
  chooseRepeats,
  rowOf,
  sideOf,
} from '../../../src/analysis/comparing/rows.ts'
import type { Repeats } from '../../../src/analysis/figures/graded.ts'
import { replyOf } from '../../../src/domain/attempt.ts'
import type { ChangeKind, Row, Side } from '../../../src/domain/changes.ts'
import type { AnsweredTurn } from '../../../src/domain/turn.ts'
import { makeArticle } from '../../articles/make-article.ts'
import { failed, makeQuestion, makeReply, makeTurn } from '../../support/recorded.ts'
import { readRows } from '../../support/rows.ts'

type Graded = Partial<AnsweredTurn>
const passed: Graded = { grade: 'passed' }
const wrong = failed('is wrong')
const turn = (more: Graded, grade: Graded = {}): AnsweredTurn =>
  makeTurn({ question: makeQuestion('q', 't', 1), ...more, ...grade })

const states = {
  grounded: turn({}, passed),
  wrong: turn({}, wrong),
  ungrounded: turn({ result: makeReply('LLM') }, wrong),
  odd: turn({ result: makeReply('(error)') }),
  timeout: turn({ outcome: 'timeout', result: undefined }, { grade: 'notGraded' }),
  skipped: turn({ outcome: 'skipped', result: undefined }, { grade: 'notGraded' }),
  notSent: turn({ outcome: undefined, result: undefined }, { grade: 'notGraded' }),
  lost: turn({ contextLost: true }, { grade: 'notGraded' }),
}

type State = keyof typeof states

const names = Object.keys(states) as State[]
/** `answers`: of the repeats, in their order. */
function side(of: readonly State[], answers: readonly string[] = []): Side {
  const repeats = of.map((one, place) => {
    const state = states[one]
    const [reply, answer] = [replyOf(state.result), answers[place]]
    const answered = reply && answer !== undefined && { result: makeReply(reply.contextSource, answer) }
    const repeat: AnsweredTurn = { ...state, repeat: place + 1, ...answered, readAgain: () => repeat }
    return repeat
  })
  return sideOf(repeats as unknown as Repeats, ['KNOWLEDGE_BASE'])
}
const kinds = (from: readonly State[], to: readonly State[]): readonly ChangeKind[] =>
  changesBetween(side(from), side(to))

test.each(readRows<[string, string, ChangeKind[]]>(new URL('sides.ndjson', import.meta.url)))(
  'from %s to %s: %j',
  (from, to, expected) => {
    expect(kinds(from.split(' ') as State[], to.split(' ') as State[])).toEqual(expected)
  },
)

test('changed facts are not reported if the source changed or the verdict is flaky', () => {
  const changed = (from: State[], to: State[]): readonly ChangeKind[] =>
    changesBetween(side(from), side(to), 'factsChanged')
  expect(changed(['grounded'], ['grounded'])).toEqual(['factsChanged'])
  expect(changed(['grounded'], ['wrong'])).toEqual(['passToFail', 'factsChanged'])
  expect(changed(['grounded'], ['ungrounded'])).not.toContain('factsChanged')
  expect(changed(['grounded', 'wrong'], ['wrong'])).toEqual(['flaky'])
})

const MIRROR: Partial<Record<ChangeKind, ChangeKind>> = {
  groundingLost: 'groundingGained',
  passToFail: 'failToPass',
  answerToError: 'errorToAnswer',
  answerToSkipped: 'skippedToAnswer',
}
const mirrored = (kind: ChangeKind): ChangeKind =>
  MIRROR[kind] ??
  (Object.entries(MIRROR).find(([, other]) => other === kind)?.[0] as ChangeKind | undefined) ??
  kind

test('swapped runs have the opposite changes, and a question compared with itself has none', () => {
  const known = names.filter((name) => name !== 'lost')
  const repeats = fc.array(fc.constantFrom(...known), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(repeats, repeats, (from, to) => {
      expect(new Set(kinds(to, from))).toEqual(new Set(kinds(from, to).map(mirrored)))
      expect(kinds(from, from).filter((kind) => kind !== 'failInBoth')).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['the ones that changed', 'grounded grounded', 'ungrounded ungrounded', 'a|a', 'b|b', '1 1'],
  ['the one without an answer', 'grounded grounded', 'grounded timeout', 'a|a', 'a', '2 2'],
  ['the ones in which a flaky question differs', 'grounded wrong', 'wrong wrong', 'a|b', 'b|b', '1 1'],
  [
    'the answer that differs most from every answer of the baseline',
    'grounded grounded',
    'grounded grounded',
    'in 5 days|in 6 days',
    'in 6 days|in 9 days',
    '2 2',
  ],
])('of several repeats, shows %s', (_, from, to, before, after, expected) => {
  const answered = (of: string, answers: string): Side => side(of.split(' ') as State[], answers.split('|'))
  const { baseline, candidate } = chooseRepeats(answered(from, before), answered(to, after))
  expect(`${baseline.repeat} ${candidate.repeat}`).toBe(expected)
})

const SOURCES = ['KNOWLEDGE_BASE']
const sideOfAnswer = (answer: string) =>
  sideOf([makeTurn({ result: makeReply('KNOWLEDGE_BASE', answer) })], SOURCES)
const opensAfter = (value: string): string => `A locked account opens by itself again after ${value}.`
const article = makeArticle('locked.md', 'Locked account', opensAfter('30 minutes'))
const recorded = (digest: string) => [{ article: article.id, title: article.title, digest, questions: [] }]
const editsOf = (row: Row) =>
  findEdits([row], { before: recorded('old'), now: recorded(article.digest) }, [article], SOURCES)

test.each([
  ['the old value', '15 minutes', '15 minutes', ['15 minutes']],
  ['a new value that ends like the old one', '15 minutes', '5 minutes', []],
])('an answer with %s', (_, before, now, stale) => {
  const [baseline, candidate] = [before, now].map((value) => sideOfAnswer(opensAfter(value)))
  const { stale: found } = editsOf(rowOf(baseline, candidate, false, undefined))
  expect(found.map(({ fact }) => fact)).toEqual(stale)
})

test('an edit that changed no answer is told from one that only a new question reached', () => {
  const same = sideOfAnswer(opensAfter('30 minutes'))
  const rows = [rowOf(same, same, false, undefined), rowOf(undefined, same, false, undefined)]
  expect(rows.map((row) => editsOf(row).edited[0]?.answers)).toEqual([0, null])
})

const bare = { failures: [] }
const row = (id: string, kind: ChangeKind): Row =>
  ({ id, presence: 'both', kinds: [kind], answers: 'rephrased', baseline: bare, candidate: bare }) as never

test('ten thousand changes are listed, and those after them still count', () => {
  const rows = Array.from({ length: 10_000 }, (_, place) => row(`q${place}`, 'sourceChanged'))
  const { changes, counts } = changedQuestions([...rows, row('last', 'passToFail')])
  expect(changes).toHaveLength(10_000)
  expect(counts).toMatchObject({ sourceChanged: 10_000, passToFail: 1 })
})
