// What is known of an answer, from the reviews of earlier ones.
import { describe, expect, test } from 'vitest'
import { createReviewBook, type ReviewBook } from '../../../src/analysis/reviews/book.ts'
import { makeReview } from '../../support/reviews.ts'

const fourteen = 'You have 14 days to return it.'
const fourteenAgain = 'To return it you have 14 days.'
const thirty = 'You have 30 days to return it.'

function bookOf(...reviews: readonly (readonly [answer: string, said: string])[]): ReviewBook {
  const book = createReviewBook()
  for (const [answer, said] of reviews) book.add(makeReview('q', answer, said))
  return book
}

describe('an answer', () => {
  test.each<[string, [string, string][], string, unknown]>([
    ['to a question that nobody reviewed', [], fourteen, { kind: 'new', note: '' }],
    [
      'that was reviewed',
      [[`${fourteen}\r\n`, 'good: clear']],
      fourteen,
      { kind: 'reviewed', review: 'good', note: 'clear' },
    ],
    [
      'in other words',
      [[fourteen, 'poor: too short']],
      fourteenAgain,
      { kind: 'changed', before: makeReview('q', fourteen, 'poor: too short'), note: '' },
    ],
    [
      'that says something else now',
      [[fourteen, 'good']],
      thirty,
      { kind: 'changed', before: makeReview('q', fourteen, 'good'), note: '' },
    ],
    [
      'in other words, of two that were judged differently',
      [
        [fourteen, 'good'],
        [`${fourteen} Really.`, 'poor'],
      ],
      fourteenAgain,
      { kind: 'changed', before: makeReview('q', `${fourteen} Really.`, 'poor'), note: '' },
    ],
    ['with a note and no word', [[fourteen, ': ask legal']], fourteen, { kind: 'new', note: 'ask legal' }],
    ['in other words, with a note', [[fourteen, ': ask legal']], fourteenAgain, { kind: 'new', note: '' }],
    [
      'with a note of its own, after one with a word: the word is not taken over',
      [
        [fourteen, 'good: fine'],
        [fourteenAgain, ': ask legal'],
      ],
      fourteenAgain,
      { kind: 'changed', before: makeReview('q', fourteen, 'good: fine'), note: 'ask legal' },
    ],
    [
      'that is said again is said last',
      [
        [fourteen, 'good'],
        ['Never.', 'poor'],
        [fourteen, 'acceptable'],
      ],
      thirty,
      { kind: 'changed', before: makeReview('q', fourteen, 'acceptable'), note: '' },
    ],
  ])('%s', (_, reviews, answer, expected) => {
    expect(bookOf(...reviews).reviewFor('q', answer)).toEqual(expected)
  })

  test('to another question is another', () => {
    expect(bookOf([fourteen, 'good']).reviewFor('other', fourteen)).toEqual({ kind: 'new', note: '' })
  })
})

describe('of two reviews of one answer', () => {
  test.each([
    ['the later word stands, and its note', 'good: nice', 'poor: no', 'poor', 'no'],
    ['a note goes with the word it explains', 'good: nice', 'poor', 'poor', ''],
    ['an empty note takes none away', 'good: nice', 'good', 'good', 'nice'],
    ['a word for what had a note only leaves the note', ': nice', 'good', 'good', 'nice'],
    ['an empty word takes none away', 'good: nice', ': but long', 'good', 'but long'],
  ])('%s', (_, first, second, review, note) => {
    const book = bookOf([fourteen, first], [fourteen, second])
    expect(book.reviewFor('q', fourteen)).toMatchObject({ review, note })
    expect(book.size).toBe(1)
  })

  test('with another word the one that does not stand is told', () => {
    const book = createReviewBook()
    expect(book.add(makeReview('q', fourteen, 'good'))).toBeUndefined()
    expect(book.add(makeReview('q', fourteen, ': a note'))).toBeUndefined()
    expect(book.add(makeReview('q', fourteen.toUpperCase(), 'poor'))).toBe('good')
  })

  test('one of which was cut, the whole one is kept', () => {
    const whole = 'answer '.repeat(6000)
    const book = bookOf([whole, 'good'], [whole.slice(0, 32_767), 'poor'])
    expect(book.size).toBe(1)
    expect(book.reviewFor('q', whole)).toMatchObject({ review: 'poor' })
    expect(book.reviewFor('q', `${whole.slice(0, 35_000)} and more`)).toMatchObject({ kind: 'changed' })
  })
})
