// Protects the word diff: examples, a property of any two texts, and bounded time for long ones.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordDiff } from '../../src/page/versions.tsx'
import { anyCodePoint } from '../support/any-code-point.ts'
import { readRows } from '../support/rows.ts'

/** In the form of `git diff --word-diff`. */
const marked = (before: string, after: string): string =>
  wordDiff(before, after)
    .map(({ kind, text }) => ({ same: text, removed: `[-${text}-]`, added: `{+${text}+}` })[kind])
    .join('')

test.each(
  readRows<[before: string, after: string, marked: string]>(new URL('word-diffs.ndjson', import.meta.url)),
)('from %j to %j', (before, after, expected) => {
  expect(marked(before, after)).toBe(expected)
})

const word = fc.constantFrom(
  'a',
  'not',
  '30',
  '.',
  '\n',
  ' ',
  '  ',
  '-',
  '日本語',
  'ไทย',
  '😀',
  '\ud800',
  'e\u0301',
)
const text = fc.oneof(
  fc.array(word, { maxLength: 30 }).map((parts) => parts.join('')),
  fc.array(word, { maxLength: 30 }).map((parts) => parts.join(' ')),
  fc.string({ unit: anyCodePoint, maxLength: 40 }),
)

test('the parts of any two texts add up to the texts, except for white space of the old one', () => {
  const spaceless = (one: string): string => one.replaceAll(/\s/g, '')
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = wordDiff(before, after)
      const without = (left: string): string =>
        parts.flatMap((part) => (part.kind === left ? [] : [part.text])).join('')
      expect(without('removed')).toBe(after)
      expect(spaceless(without('added'))).toBe(spaceless(before))
    }),
    { numRuns: 1000 },
  )
})

const words = Array.from({ length: 1200 }, (_, number) => `w${(number * 7919) % 10_007}`)

test.each([
  ['words in another order', words.join(' '), words.toReversed().join(' ')],
  ['a megabyte', 'รหัสผ่าน'.repeat(125_000), 'รหัส'.repeat(250_000)],
])('%s count as a change of the whole text', (_, before, after) => {
  expect(wordDiff(before, after).map(({ kind }) => kind)).toEqual(['removed', 'added'])
})
