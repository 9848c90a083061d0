// Facts of answers by example, and laws of their comparison.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changedFacts, factsOf } from '../../../src/analysis/comparison/facts.ts'
import { anySign } from '../../support/any-sign.ts'
import { FACTS, OTHER, SAME } from './facts-examples.ts'

const changes = (before: string, after: string) => changedFacts(factsOf(before), factsOf(after))
const NONE = { lost: [], gained: [] }
const named = (text: string): string[] => factsOf(text).map(({ kind, value }) => `${kind} ${value}`)
const texts = (facts: readonly { text: string }[]): string[] => facts.map(({ text }) => text)

describe('facts by example', () => {
  test.each(FACTS)('%j', (text, facts) => {
    expect(named(text)).toEqual(facts)
  })
  test.each(SAME)('%j says the same as %j', (before, after) => {
    expect(changes(before, after)).toEqual(NONE)
  })
  test.each(OTHER)('from %j to %j', (before, after, lost, gained) => {
    const changed = changes(before, after)
    expect([texts(changed.lost), texts(changed.gained)]).toEqual([lost, gained])
  })
  test('a name said twice is the same fact, a second negation is not', () => {
    expect(changes('VPN, and VPN again', 'VPN')).toEqual(NONE)
    expect(texts(changes('It is not so. It is not.', 'It is not.').lost)).toEqual(['not'])
  })
})

const sentence = fc.constantFrom(...FACTS.map(([text]) => text).filter((text) => !text.includes('\n')))
const anyText = fc.oneof(
  fc.string({ unit: anySign, maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        '0',
        '15',
        '9',
        '.',
        ',',
        ':',
        '/',
        '-',
        '+',
        '@',
        ' ',
        '€',
        '%',
        'h',
        'VPN',
        '\n',
        '\0',
        '\ud800',
      ),
      { maxLength: 40 },
    )
    .map((signs) => signs.join('')),
  fc.array(sentence, { maxLength: 4 }).map((parts) => parts.join('; ')),
)

describe('laws', () => {
  test('any two texts compare: what came one way went the other, and equal texts have no change', () => {
    fc.assert(
      fc.property(anyText, anyText, (some, other) => {
        const [there, back] = [changes(some, other), changes(other, some)]
        expect(there).toEqual({ lost: back.gained, gained: back.lost })
        expect(changes(some, ` ${some} `.trim() === some ? ` ${some} ` : some)).toEqual(NONE)
      }),
      { numRuns: 1000 },
    )
  })
  test('the order of sentences does not matter', () => {
    const shuffled = fc
      .array(sentence, { maxLength: 8 })
      .chain((parts) => fc.tuple(fc.constant(parts), fc.shuffledSubarray(parts, { minLength: parts.length })))
    fc.assert(
      fc.property(shuffled, ([parts, others]) => {
        expect(changes(parts.join('\n'), others.join('\n'))).toEqual(NONE)
      }),
    )
  })
  const pieces = [
    '1',
    'a',
    ' ',
    'A',
    '-',
    '.',
    '1.',
    '1,',
    '1 ',
    '111.',
    '111 ',
    '1-',
    'A-',
    'A1-',
    'a.',
    'a@',
    'a.com.',
    '0 ',
    '+',
    '(',
    'one ',
    'twenty-',
    'http://',
    '1:',
    '\n',
    'ä',
    "n't",
    '€',
    '%',
    '1 to ',
  ]
  // Backtracking over so long a text would not end within the time that any test has.
  test.each(pieces)('%j again and again comes to an end', (piece) => {
    expect(Array.isArray(factsOf(piece.repeat(Math.ceil(150_000 / piece.length))))).toBe(true)
  })
  test.each([
    ['1', 1],
    ['.', 0],
    [':', 0],
    ['1:', 500_000],
    ['2026-11-03T', 181_820],
  ])('a megabyte of %j comes to an end', (piece, count) => {
    expect(factsOf(piece.repeat(Math.ceil(1_000_000 / piece.length)))).toHaveLength(count)
  })
})
