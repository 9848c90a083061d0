// Several demands on one answer, as one regular expression.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchText } from '../../../src/dataset/importers/our-cells.ts'
import { joinClauses, mendRegex, type Clause } from '../../../src/dataset/importers/regex-clauses.ts'

const anywhere = (pattern: string, isNot = false): Clause => ({ pattern, isNot, from: 'anywhere' })
const start = (pattern: string, isNot = false): Clause => ({ pattern, isNot, from: 'start' })

test.each<[string, Clause[], string]>([
  ['a plain one stays as it is', [anywhere('a|b')], 'a|b'],
  ['an anchored one', [start('Hello')], '^Hello'],
  ['one that must not match', [anywhere('a|b', true)], String.raw`^(?![\s\S]*(?:a|b))`],
  ['two', [anywhere('a|b'), start('x')], String.raw`^(?=[\s\S]*(?:a|b))(?=(?:x))`],
  [
    'what counts its groups comes first',
    [anywhere('(a)b'), anywhere(String.raw`(x)\1`)],
    String.raw`^(?=[\s\S]*(?:(x)\1))(?=[\s\S]*(?:(a)b))`,
  ],
])('%s', (_name, clauses, pattern) => {
  expect(joinClauses(clauses)).toBe(pattern)
})

const texts = fc
  .array(
    fc.constantFrom('a', 'b', 'ab', '.', '|', '\\', '(', ')', '[', ' ', '\n', '-', 'é', '😀', '{', '$', '/'),
    { maxLength: 4 },
  )
  .map((parts) => parts.join(''))

test('law: a text is matched by itself, and by no other of its length', () => {
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const pattern = new RegExp(`^${matchText(one)}$`, 'iu')
      expect(pattern.test(one)).toBe(true)
      expect(pattern.test(other)).toBe(one === other)
    }),
    { numRuns: 500 },
  )
})

test('law: the whole matches where each of its clauses is kept', () => {
  const clause = fc.record({
    pattern: fc.oneof(texts.map(matchText), fc.constantFrom('a|b', '^a', 'b$', '[ab]{2}', '(a)(b)')),
    isNot: fc.boolean(),
    from: fc.constantFrom('start' as const, 'anywhere' as const),
  })
  // An alternation is only anchored as a whole where it stands in a group.
  const whole = clause.map((one) => (one.from === 'start' ? { ...one, pattern: `(?:${one.pattern})` } : one))
  const answer = fc
    .array(fc.constantFrom('a', 'b', ' ', '\n', '.', '|'), { maxLength: 6 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.array(whole, { minLength: 1, maxLength: 4 }), answer, (clauses, said) => {
      const isKept = ({ pattern, isNot, from }: Clause): boolean =>
        new RegExp(from === 'start' ? `^(?:${pattern})` : pattern, 'iu').test(said) !== isNot
      expect(new RegExp(joinClauses(clauses), 'iu').test(said)).toBe(clauses.every(isKept))
    }),
    { numRuns: 2000 },
  )
})

describe('a regular expression without flag u is mended for it', () => {
  test.each([
    [String.raw`\d{4}\-\d`, String.raw`\d{4}-\d`],
    [String.raw`\"quoted\" \@ \_`, '"quoted" @ _'],
    [String.raw`[\w\-]+`, String.raw`[\w\-]+`],
    [String.raw`a\.b\/c`, String.raw`a\.b\/c`],
    ['(broken', '(broken'],
  ])('%s', (pattern, mended) => {
    expect(mendRegex(pattern)).toBe(mended)
  })
})
