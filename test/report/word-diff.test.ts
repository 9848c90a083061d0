// The word diff and its rendering: by example, laws for any two texts, and bounds for long ones.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderWordDiff, wordDiff, type DiffPart } from '../../src/report/word-diff.ts'
import { anySign } from '../support/any-sign.ts'

const without = (parts: readonly DiffPart[], kind: DiffPart['kind']): string =>
  parts
    .filter((part) => part.kind !== kind)
    .map(({ text }) => text)
    .join('')

function expectWhole(before: string, after: string): readonly DiffPart[] {
  const parts = wordDiff(before, after)
  expect(without(parts, 'added') === before).toBe(true)
  expect(without(parts, 'removed') === after).toBe(true)
  for (const [place, { kind, text }] of parts.entries()) {
    expect(text).not.toBe('')
    expect(kind).not.toBe(parts[place + 1]?.kind)
    if (kind === 'added') expect(parts[place + 1]?.kind).not.toBe('removed')
  }
  return parts
}

const EXAMPLES: readonly (readonly [before: string, after: string, rendered: string])[] = [
  ['', '', ''],
  ['', 'new', '{+new+}'],
  ['old', '', '[-old-]'],
  ['The same.', 'The same.', 'The same.'],
  [
    'File it within 30 days, please.',
    'File it within 14 days, please.',
    'File it within [-30-]{+14+} days, please.',
  ],
  ['You can use it.', 'You can not use it.', 'You can {+not +}use it.'],
  ['a b c d', 'a x c y', 'a [-b-]{+x+} c [-d-]{+y+}'],
  ['at 15:00 for €1,200.50', 'at 16:00 for €1,300.50', 'at [-15:00-]{+16:00+} for €[-1,200.50-]{+1,300.50+}'],
  [
    'See https://example.com/a.',
    'See https://example.com/b.',
    'See [-https://example.com/a-]{+https://example.com/b+}.',
  ],
  ['bis 3. November', 'bis 5. November', 'bis [-3-]{+5+}. November'],
  [
    'パスワードは30日で期限切れになります。',
    'パスワードは90日で期限切れになります。',
    'パスワードは[-30-]{+90+}日で期限切れになります。',
  ],
  ['รหัสผ่านหมดอายุ', 'รหัสผ่านของคุณหมดอายุ', 'รหัสผ่าน{+ของคุณ+}หมดอายุ'],
  ['one two', 'one\ntwo', 'one[- -]{+\n+}two'],
]

describe('by example', () => {
  test.each(EXAMPLES)('from %j to %j', (before, after, rendered) => {
    expect(renderWordDiff(expectWhole(before, after))).toBe(rendered)
  })
  test('brackets of the text itself are parted by a backslash', () => {
    expect(renderWordDiff(wordDiff('see [-x-] and {+y+}', 'see [-x-] or {+y+}'))).toBe(
      String.raw`see [\-x-\] [-and-]{+or+} {\+y+\}`,
    )
  })
  test('long stretches are left out, but what stands around a change', () => {
    const long = 'These words are the same in both. '.repeat(10)
    expect(
      renderWordDiff(
        wordDiff(`${long}5 days. ${long}6 days. ${long}`, `${long}7 days. ${long}8 days. ${long}`),
      ),
    ).toBe(
      '… These words are the same in both. [-5-]{+7+} days. These words are the same in … These words are the same in both. [-6-]{+8+} days. These words are the same in …',
    )
    expect(renderWordDiff([{ kind: 'added', text: 'x '.repeat(5000) }]).length).toBeLessThan(1100)
    expect(renderWordDiff(wordDiff(long, long)).length).toBeLessThan(60)
  })
})

const word = fc.constantFrom(
  'a',
  'b',
  'not',
  '30',
  'days',
  '.',
  '\n',
  ' ',
  '  ',
  '-',
  '[-',
  '日本語',
  'ไทย',
  '😀',
  '\ud800',
  'e\u0301',
)
const text = fc.oneof(
  fc.array(word, { maxLength: 30 }).map((parts) => parts.join('')),
  fc.array(word, { maxLength: 30 }).map((parts) => parts.join(' ')),
  fc.string({ unit: anySign, maxLength: 40 }),
)
/** Long enough for sentences to be compared first. */
const longText = fc
  .array(fc.constantFrom('One day. ', 'Two days! ', 'Three\n\n', 'いち。', 'no end ', '\n'), {
    minLength: 900,
    maxLength: 1200,
  })
  .map((parts) => parts.join(''))

describe('laws', () => {
  test('the parts of any two texts are the texts', () => {
    fc.assert(
      fc.property(text, text, (before, after) => void expectWhole(before, after)),
      { numRuns: 1000 },
    )
  })
  test('of long ones too', () => {
    fc.assert(
      fc.property(longText, text, fc.nat(3000), (long, other, place) => {
        const parts = expectWhole(long, `${long.slice(0, place)}${other}${long.slice(place)}`)
        // What did not change is found again.
        expect(
          parts
            .filter(({ kind }) => kind === 'same')
            .map((part) => part.text)
            .join('').length,
        ).toBeGreaterThan(long.length / 2)
      }),
      { numRuns: 30 },
    )
  })
  test('a changed word of a long text is found in its sentence', () => {
    const long = Array.from({ length: 5000 }, (_, number) => `Rule ${number} holds for all. `).join('')
    expect(expectWhole(long, long.replace('Rule 4321 holds', 'Rule 4321 never holds'))).toMatchObject([
      { kind: 'same' },
      { kind: 'added', text: 'never ' },
      { kind: 'same' },
    ])
  })
})

describe('a megabyte', () => {
  const words = Array.from({ length: 170_000 }, (_, number) => `w${(number * 7919) % 10_007}`)
  const TEXTS: readonly (readonly [name: string, before: string, after: string])[] = [
    ['of words in another order', words.join(' '), words.toReversed().join(' ')],
    ['of sentences in another order', words.join('. '), words.toReversed().join('. ')],
    ['of dots', 'a.'.repeat(500_000), 'b.'.repeat(500_000)],
    ['of numbers', '1.'.repeat(500_000), '1,'.repeat(500_000)],
    ['of one word', 'a'.repeat(1_000_000), 'a'.repeat(999_999)],
    ['of spaces', ' '.repeat(1_000_000), ' '.repeat(999_999)],
    ['of Thai', 'รหัสผ่าน'.repeat(125_000), 'รหัส'.repeat(250_000)],
  ]
  // Without a bound on the edits, these would take hours.
  test.each(TEXTS)('%s', (_, before, after) => {
    expect(renderWordDiff(expectWhole(before, after)).length).toBeLessThan(5000)
  })
})
