// Protects the comparison of answers: which facts a text holds, and what changed between two answers.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareAnswers } from '../../../src/analysis/comparing/answers.ts'
import { extractFacts } from '../../../src/articles/facts.ts'
import { anyCodePoint } from '../../support/any-code-point.ts'
import { readRows } from '../../support/rows.ts'

const named = (text: string): string[] =>
  extractFacts(text).map(({ kind, value, unit }) => [kind, value, unit].filter(Boolean).join(' '))

/** Rows of a text and its facts. */
const FACTS = readRows(new URL('facts.ndjson', import.meta.url))

test.each(FACTS)('finds the facts of %j', (text, ...facts) => {
  expect(named(text)).toEqual(facts)
})

const LOST = new URL('lost-facts.ndjson', import.meta.url)
test.each(readRows<[before: string, after: string, lost: string, gained: string]>(LOST))(
  'from %j to %j: %s lost, %s gained',
  (before, after, lost, gained) => {
    const change = compareAnswers(before, after)
    expect(change.kind).toBe('factsChanged')
    const texts = [change.lost, change.gained].map((facts) => facts.map(({ text }) => text).join())
    expect(texts).toEqual([lost, gained])
  },
)

/** Rows of what the change is, the answer before and the answer after. */
const CHANGED = ['changes', 'values-en', 'values-de', 'values-fr', 'values-es'].flatMap((table) =>
  readRows(new URL(`${table}.ndjson`, import.meta.url)),
)

test.each(CHANGED)('%s: %j and %j, either way', (kind, before = '', after = '') => {
  const { lost, gained, ...change } = compareAnswers(before, after)
  expect({ kind: change.kind, lost, gained }).toMatchObject(
    kind === 'factsChanged' ? { kind } : { kind, lost: [], gained: [] },
  )
  expect(compareAnswers(after, before).kind).toBe(kind)
})

test.each([
  ['You have **14** days to file.', '14** days'],
  ['Das sind 1&nbsp;200&nbsp;€ &ndash; brutto', '1&nbsp;200&nbsp;€'],
  ['请在14天内提交', '14天'],
  ['<p>It takes</p><p>1½ hours</p>', '1½ hours'],
  ['### 1. Open\n**2.** Wait ٣ days', '٣ days'],
  ['First. Sentence. Then mail a@b.example now', 'a@b.example'],
])('says where in %j the fact stands', (answer, written) => {
  expect(extractFacts(answer).map(({ start, end }) => answer.slice(start, end))).toEqual([written])
})

test('an edited fact is named once', () => {
  const before = 'It takes 2–3 days. Really, it takes 2–3 days. Do not ask us. Do not call.'
  const { lost, gained } = compareAnswers(before, 'It takes 4–5 days. Really.')
  expect(lost.map(({ text }) => text)).toEqual(['2-3 days', 'not'])
  expect(gained.map(({ text }) => text)).toEqual(['4-5 days'])
})

const sentence = fc.constantFrom(...FACTS.map(([text]) => text).filter((text) => !text.includes('\n')))
const SIGNS = ['0', '15', '.', ',', ':', '/', '-', '+', '@', ' ', '€', '%', 'h', '\n', '\0', '\ud800']
const anyText = fc.oneof(
  fc.string({ unit: anyCodePoint, maxLength: 60 }),
  fc.array(fc.constantFrom(...SIGNS), { maxLength: 40 }).map((signs) => signs.join('')),
  fc.array(sentence, { maxLength: 4 }).map((parts) => parts.join('; ')),
)

describe('any texts', () => {
  test('compare, and swapped, lost facts are gained facts', () => {
    fc.assert(
      fc.property(anyText, anyText, (some, other) => {
        const [there, back] = [compareAnswers(some, other), compareAnswers(other, some)]
        expect(there).toEqual({ ...back, lost: back.gained, gained: back.lost })
        expect(compareAnswers(some, some).kind).toBe('same')
      }),
      { numRuns: 1000 },
    )
  })

  // Other repeats are read in articles/support.test.ts. With backtracking these would exceed the timeout of a test.
  test.each(["n't", '2026-11-03T'])('in which %j repeats are read in bounded time', (piece) => {
    expect(Array.isArray(extractFacts(piece.repeat(Math.ceil(150_000 / piece.length))))).toBe(true)
  })
})
