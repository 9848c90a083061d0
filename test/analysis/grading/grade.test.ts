// Protects grading: each expectation with examples, the sentences of failures, and which turns are not graded.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createGrader } from '../../../src/analysis/grading/grade.ts'
import { mustPassOf } from '../../../src/analysis/figures/graded.ts'
import { type AnsweredTurn, type Grade, withAnswer } from '../../../src/domain/turn.ts'
import type { Expectations } from '../../../src/domain/question.ts'
import { anyCodePoint } from '../../support/any-code-point.ts'
import { readRows } from '../../support/rows.ts'
import { makeQuestion, makeReply, makeTurn } from '../../support/recorded.ts'

type Graded = Pick<AnsweredTurn, 'grade' | 'failures'>
const grade = createGrader()
function answer(expectations: Expectations, message: string, more: Partial<AnsweredTurn> = {}): Graded {
  const question = makeQuestion('q', 't', 1, { expect: expectations })
  const turn = { ...makeTurn({ result: makeReply('KNOWLEDGE_BASE', message) }), ...more, question }
  return grade(turn, turn.result)
}

function gradeExample(column: string, expected: string, found: string): Graded {
  switch (column) {
    case 'contains':
    case 'notContains':
      return answer({ [column]: [expected] }, found)
    case 'regex':
      return answer({ regex: expected }, found)
    case 'answer':
      return answer({ answer: { text: expected, minSimilarity: 0.5 } }, found)
    case 'source': {
      const source = { not: expected.startsWith('!'), value: expected.replace('!', '') }
      return answer({ source }, 'An answer.', { result: makeReply(found) })
    }
    case 'maxLatencyMs':
      return answer({ maxLatencyMs: Number(expected) }, 'An answer.', { serviceMs: Number(found) })
    default:
      throw new Error(`no expectation is called ${column}`)
  }
}

/** Rows: expectation, its cell, the value found, and the sentence for editors if it is not met. fold.test.ts covers other characters. */
const EXAMPLES = readRows(new URL('graded-examples.ndjson', import.meta.url))

test.each(EXAMPLES)('%s %j with the value %j', (column, expected = '', found = '', ...sentence) => {
  const graded = gradeExample(column, expected, found)
  expect(graded.failures.map(withAnswer)).toEqual(sentence)
  expect(graded.grade).toBe(sentence.length === 0 ? 'passed' : 'failed')
})

describe('a failure', () => {
  test('names its column, and all failures are listed in the order of the columns', () => {
    // Required: a new expectation that nothing grades would be met by every answer.
    const every: Required<Expectations> = {
      source: { not: false, value: 'FAQ' },
      contains: ['portal', 'link', 'desk'],
      notContains: ['sorry'],
      regex: 'x{3}',
      answer: { text: 'Use the portal', minSimilarity: 0.5 },
      maxLatencyMs: 50,
    }
    const graded = answer(every, 'Sorry, call the desk.')
    const of = `'Sorry, call the desk.'`
    expect(graded.grade).toBe('failed')
    expect(graded.failures.map((one) => `${one.expectation}: ${withAnswer(one)}`)).toEqual([
      'expect_source: was KNOWLEDGE_BASE, expected FAQ',
      `expect_contains: does not contain 'portal'; the answer was ${of}`,
      `expect_contains: does not contain 'link'; the answer was ${of}`,
      `expect_not_contains: contains 'sorry', which it must not; found in ${of}`,
      `expect_regex: does not match the regular expression 'x{3}'; the answer was ${of}`,
      `expect_answer: shares 0 % of its words with the expected answer 'Use the portal', needs 50 %; the answer was ${of}`,
      'max_latency_ms: took 100 ms, allowed 50 ms',
    ])
    expect(new Set(graded.failures.map((one) => one.expectation)).size).toBe(Object.keys(every).length)
  })

  test('never shows a share rounded up to the needed share', () => {
    const words = (count: number): string =>
      Array.from({ length: count }, (_, number) => `w${number}`).join(' ')
    // 2 × 499 ÷ (499 + 1498) = 0.49975
    const graded = answer({ answer: { text: words(1498), minSimilarity: 0.5 } }, words(499))
    expect(graded.failures[0]?.sentence).toMatch(/^shares 49\.9 % .* needs 50 %/)
  })

  test('shows the phrase in its context, and stays short', () => {
    const long = `${'Preface. '.repeat(50)}Please SHOUT at the desk.${' Epilogue.'.repeat(50)}`
    const graded = answer({ notContains: ['please shout'], contains: ['missing'] }, long)
    const sentences = graded.failures.map(withAnswer)
    expect(sentences[1]).toMatch(/found in '….*Please SHOUT at the desk\..*…'$/)
    for (const sentence of sentences) expect(sentence.length).toBeLessThan(300)
  })
})

describe('is not graded:', () => {
  const expectations: Expectations = { contains: ['portal'] }
  const error = { kind: 'rejection', httpStatus: 503, error: { message: 'the portal is down' } } as const
  test.each<[string, Partial<AnsweredTurn>]>([
    ['an error, even if its text would pass', { outcome: 'server_error', result: error }],
    ['an answer without its context', { contextLost: true }],
    ['a skipped turn', { outcome: 'skipped', result: undefined }],
    ['a turn that was not sent', { outcome: undefined, result: undefined }],
  ])('%s', (_, turn) => {
    expect(answer(expectations, 'the portal', turn)).toEqual({ grade: 'notGraded', failures: [] })
  })

  test('a question without expectations', () => {
    expect(grade(makeTurn(), makeTurn().result)).toEqual({ grade: 'none', failures: [] })
  })
})

const question = makeQuestion('q', 't', 1, { mustPass: true })
test.each<[string, Parameters<typeof makeTurn>[0], Grade, boolean]>([
  ['answered, nothing expected', {}, 'none', false],
  ['passed', {}, 'passed', false],
  ['failed', {}, 'failed', true],
  ['an error', { outcome: 'timeout' }, 'none', true],
  ['an error with expectations', { outcome: 'timeout' }, 'notGraded', true],
  ['without context', { contextLost: true }, 'none', true],
  ['skipped', { outcome: 'skipped' }, 'none', true],
  ['not sent: the run is incomplete', { outcome: undefined }, 'none', false],
  ['not must_pass', { question: makeQuestion('q', 't', 1) }, 'failed', false],
])('must_pass: %s', (_, turn, kind, fails) => {
  const failed = mustPassOf([makeTurn({ question, ...turn, grade: kind })], 'all')
  expect(failed !== undefined).toBe(fails)
})

test('grading never throws on any text, and every failure has a sentence', () => {
  const text = fc.oneof(fc.string({ unit: anyCodePoint }), fc.string({ unit: 'grapheme' }), fc.string())
  fc.assert(
    fc.property(text, text, text, fc.boolean(), (message, phrase, source, not) => {
      const expectations: Expectations = {
        source: { not, value: source },
        contains: [phrase],
        notContains: [source],
        regex: phrase.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`),
        answer: { text: phrase, minSimilarity: 0.5 },
      }
      const graded = answer(expectations, message)
      for (const one of graded.failures) expect(one.sentence).not.toBe('')
      expect(graded.grade).toBe(graded.failures.length > 0 ? 'failed' : 'passed')
    }),
    { numRuns: 500 },
  )
})

test('a regular expression that is invalid or takes too long fails its turn', () => {
  const graded = answer({ regex: '^(a+)+$' }, `${'a'.repeat(5000)}!`)
  expect(graded).toMatchObject({ grade: 'failed', failures: [{ expectation: 'expect_regex' }] })
  expect(graded.failures[0]?.sentence).toMatch(/took too long: avoid nested repetition/)
  expect(answer({ regex: '(unclosed' }, 'a').grade).toBe('failed')
})
