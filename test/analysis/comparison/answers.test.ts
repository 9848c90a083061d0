// Two answers compared: by example, and the laws that hold for any two.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AnswerChange,
  compareAnswers,
  LEAST_SIMILARITY,
} from '../../../src/analysis/comparison/answers.ts'
import { changedFacts, factsOf } from '../../../src/analysis/comparison/facts.ts'
import { fold } from '../../../src/analysis/grading/fold.ts'
import { REWORDED_ALIKE, TURNED } from './answer-examples.ts'
import { FACTS } from './facts-examples.ts'

const saysTheSame = (before: string, after: string): boolean => {
  const { lost, gained } = changedFacts(factsOf(before), factsOf(after))
  return lost.length + gained.length === 0
}

const REWORDED: readonly (readonly [before: string, after: string])[] = [
  ['Ask your manager to approve the request.', 'Your manager has to sign off on it first.'],
  ['Bitten Sie Ihre Führungskraft um Freigabe.', 'Die Freigabe erteilt Ihre Führungskraft.'],
  // Hardly a word in common, but the facts.
  ['You have until 3 November 2026.', 'Frist: 03.11.2026'],
  ['Use the VPN. The VPN is needed.', 'The VPN is needed.'],
]
const CHANGED: readonly (readonly [before: string, after: string, lost: string[], gained: string[]])[] = [
  ['File it within 30 days.', 'Please file it within 14 days.', ['30 days'], ['14 days']],
  ['The licence costs €150 a year.', 'The licence costs €180 a year.', ['€150'], ['€180']],
  ['You can share your password.', 'You can not share your password.', [], ['not']],
  ['You may not. You need not.', 'You may not.', ['not'], []],
  [
    'See https://example.com/old for it.',
    'See https://example.com/new for it.',
    ['https://example.com/old'],
    ['https://example.com/new'],
  ],
  [
    'Send it to help@example.com today.',
    'Send it to desk@example.com today.',
    ['help@example.com'],
    ['desk@example.com'],
  ],
  ['Connect to the VPN first.', 'Connect to the LAN first.', ['VPN'], ['LAN']],
  ['VPN and VPN: 5 days each', 'The VPN: 6 days each', ['5 days'], ['6 days']],
  ['Am 3. November endet die Frist.', 'Am 5. November endet die Frist.', ['3. November'], ['5. November']],
  ['Das kostet 150 Euro.', 'Das kostet 150 Euro nicht.', [], ['nicht']],
]
const DIFFERENT: readonly (readonly [before: string, after: string])[] = [
  ['', 'Ask your manager.'],
  ['', 'The VPN costs €5.'],
  ['', '!'],
  ['👍', '👎'],
  ['Open the portal and choose Reset password.', 'I am sorry, I could not find anything about that.'],
  ['I do not know.', 'Your badge does not open this door; call the front desk.'],
  ['Bitten Sie Ihre Führungskraft um Freigabe.', 'Starten Sie den Rechner neu.'],
  // A small number in both, by chance.
  ['Open the portal and choose one of two plans.', 'I am sorry: your two questions gave no result.'],
]
const SAME: readonly (readonly [string, string])[] = [
  ['', ''],
  ['It’s “done”.', 'it\'s  "done".\n'],
  ['STRASSE', 'Straße'],
]

const textsOf = (facts: readonly { text: string }[]): string[] => facts.map(({ text }) => text)

describe('by example', () => {
  test.each(SAME)('%j is the same as %j', (before, after) => {
    expect(compareAnswers(before, after)).toEqual({ kind: 'same' })
  })
  test.each([...REWORDED, ...REWORDED_ALIKE])('%j is rephrased as %j', (before, after) => {
    expect(compareAnswers(before, after)).toEqual({ kind: 'rephrased', similarity: expect.any(Number) })
  })
  test.each([...CHANGED, ...TURNED])('from %j to %j', (before, after, lost, gained) => {
    const change = compareAnswers(before, after)
    expect(change.kind).toBe('factsChanged')
    if (change.kind !== 'factsChanged') return
    expect([textsOf(change.lost), textsOf(change.gained)]).toEqual([lost, gained])
  })
  test.each(DIFFERENT)('%j is another answer than %j', (before, after) => {
    expect(compareAnswers(before, after)).toMatchObject({ kind: 'otherAnswer' })
  })
  test('another answer has its facts too', () => {
    expect(compareAnswers('', 'The VPN costs €5.')).toMatchObject({
      kind: 'otherAnswer',
      similarity: 0,
      lost: [],
      gained: [{ value: 'VPN' }, { value: '5 EUR' }],
    })
  })
  test('similarity is that of token F1', () => {
    // 3 of 5 and 3 of 4 words: 6 / 9.
    expect(compareAnswers('file it within thirty days', 'file it within weeks')).toMatchObject({
      similarity: 6 / 9,
    })
  })
})

const answer = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc
    .array(
      fc.constantFrom(
        ...FACTS.map(([text]) => text),
        ...TURNED.flatMap(([before, after]) => [before, after]),
        'Please',
        'restart',
        'the',
        'computer',
        'NOT',
        '  ',
      ),
      {
        maxLength: 5,
      },
    )
    .map((parts) => parts.join(' ')),
)
const turnedRound = (change: AnswerChange): AnswerChange =>
  'lost' in change ? { ...change, lost: change.gained, gained: change.lost } : change

describe('laws', () => {
  test('the order of sentences changes no fact', () => {
    const sentence = fc.constantFrom(...TURNED.flatMap(([before, after]) => [before, after]))
    const shuffled = fc
      .array(sentence, { maxLength: 8 })
      .chain((parts) => fc.tuple(fc.constant(parts), fc.shuffledSubarray(parts, { minLength: parts.length })))
    fc.assert(
      fc.property(shuffled, ([parts, others]) => {
        expect(saysTheSame(parts.join('\n'), others.join('\n'))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
  // Time that grows with the square of the length would not end within the time that any test has.
  test.each(['1 ', 'a 1, ', 'a 1. ', '1 and ', 'at most 5 ', 'it is optional ', 'a ', '. ', 'up to a '])(
    'answers of %j again and again come to an end',
    (piece) => {
      const long = piece.repeat(Math.ceil(150_000 / piece.length))
      expect(compareAnswers(long, `${long}indeed`).kind).not.toBe('same')
      expect(saysTheSame(`x ${long}`, `${long} y`)).toBe(true)
    },
  )
  test('the other way round, lost and gained change places', () => {
    fc.assert(
      fc.property(answer, answer, (some, other) => {
        expect(compareAnswers(other, some)).toEqual(turnedRound(compareAnswers(some, other)))
      }),
      { numRuns: 500 },
    )
  })
  test('the same if and only if a reader takes the texts for the same', () => {
    const pair = fc.oneof(
      fc.tuple(answer, answer),
      answer.map((text) => [text, ` ${text.toUpperCase().replaceAll("'", '’')}\n`] as const),
    )
    fc.assert(
      fc.property(pair, ([some, other]) => {
        expect(compareAnswers(some, other).kind === 'same').toBe(fold(some) === fold(other))
      }),
      { numRuns: 500 },
    )
  })
  test('rephrased has the same facts, changed has not; nothing is rephrased to nothing', () => {
    fc.assert(
      fc.property(answer, answer, (some, other) => {
        const change = compareAnswers(some, other)
        if (change.kind === 'rephrased') {
          expect(saysTheSame(some, other)).toBe(true)
          expect(Math.min(fold(some).length, fold(other).length)).toBeGreaterThan(0)
        }
        if (change.kind === 'factsChanged') expect(saysTheSame(some, other)).toBe(false)
        if (change.kind === 'otherAnswer') expect(change.similarity).toBeLessThan(LEAST_SIMILARITY)
      }),
      { numRuns: 500 },
    )
  })
})
