// Protects reviews: which earlier review applies to an answer, and which of several reviews wins.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createReviewBook, mergeReviews } from '../../../src/analysis/reviews/book.ts'
import type { Review, Rating } from '../../../src/domain/review.ts'

const fourteen = 'You have 14 days to return it.'
const thirty = 'You have 30 days to return it.'
/** `said` is `good`, `poor: too short` or `: only a note`. */
function makeReview(questionId: string, answer: string, said: string): Review {
  const [word = '', note = ''] = said.split(': ')
  return { questionId, message: '', answer, review: word === '' ? undefined : (word as Rating), note }
}
const say = (said: string, answer = fourteen, id = 'q'): Review => makeReview(id, answer, said)

function knownOf(reviews: readonly Review[], answer = fourteen) {
  const book = createReviewBook()
  for (const review of reviews) book.add(review)
  return book.reviewFor('q', answer)
}

describe('the review of an answer', () => {
  test.each<[string, Review[], string, unknown]>([
    ['without reviews', [], fourteen, { kind: 'new', note: '' }],
    ['to another question', [say('good', fourteen, 'other')], fourteen, { kind: 'new', note: '' }],
    ['with a review', [say('good: clear')], fourteen, { kind: 'reviewed', review: 'good', note: 'clear' }],
    ['that has changed since', [say('good')], thirty, { kind: 'changed', before: say('good'), note: '' }],
    ['with a note and no rating', [say(': ask legal')], fourteen, { kind: 'new', note: 'ask legal' }],
    ['other than the one with a note', [say(': ask legal')], thirty, { kind: 'new', note: '' }],
    [
      'with its own note, after an answer with a rating',
      [say('good: fine'), say(': ask legal', thirty)],
      thirty,
      { kind: 'changed', before: say('good: fine'), note: 'ask legal' },
    ],
    [
      'after two others, of which the first has the latest review',
      [say('good'), say('poor', 'Never.'), say('acceptable')],
      thirty,
      { kind: 'changed', before: say('acceptable'), note: '' },
    ],
  ])('%s', (_, reviews, answer, expected) => {
    expect(knownOf(reviews, answer)).toEqual(expected)
  })

  const long = 'answer\r\n'.repeat(8000)
  test.each<[string, string, string, boolean]>([
    ['ignores case, white space and quotes', ' IT  is\r\n“open” ', 'It is "open"', true],
    ['ignores the form of control characters', 'a\u0000b', 'a␀b', true],
    ['sees another word', 'It is open', 'It is shut', false],
    ['sees further words', 'It is open', 'It is open now', false],
    ['applies to empty answers', '', ' ', true],
    ['applies to a cell that a spreadsheet cut', long.slice(0, 32_767).replaceAll('\r\n', '\n'), long, true],
    ['sees another sign', 'Go → there', 'Go ? there', false],
  ])('%s: reviewed %j, now %j', (_, reviewed, now, isSame) => {
    expect(knownOf([say('good', reviewed)], now).kind).toBe(isSame ? 'reviewed' : 'changed')
  })
})

test.each([
  ['the later rating wins, with its note', 'good: nice', 'poor: no', 'poor', 'no'],
  ['a new rating removes the note of the old one', 'good: nice', 'poor', 'poor', ''],
  ['an empty note removes no note', 'good: nice', 'good', 'good', 'nice'],
  ['a rating keeps the note of an answer without a rating', ': nice', 'good', 'good', 'nice'],
  ['an empty rating removes no rating', 'good: nice', ': but long', 'good', 'but long'],
])('of two reviews of one answer: %s', (_, first, second, review, note) => {
  expect(knownOf([say(first), say(second)])).toMatchObject({ review, note })
})

type Merged = ReturnType<typeof mergeReviews>

const good = say('good')
const poor = say('poor')
test.each<[string, Review[], Review[], string]>([
  ['a file', [], [good], 'good'],
  ['the later row', [], [good, poor], 'poor'],
  ['a file, over the log', [good], [poor], 'poor'],
  ['the log, over a file that is given again', [good, poor], [good], 'poor'],
  ['the log', [good], [], 'good'],
])('the review that wins is %s', (_, log, named, word) => {
  const { book } = mergeReviews(log, named)
  expect(book.reviewFor('q', fourteen)).toMatchObject({ kind: 'reviewed', review: word })
})

const answers = [fourteen, thirty, 'To return it you have 14 days.', 'Ask.', '']
const reviews = fc.array(
  fc
    .tuple(
      fc.constantFrom('p', 'q'),
      fc.constantFrom(...answers),
      fc.constantFrom('good', 'poor', 'acceptable: so', ': note', 'good: 2'),
    )
    .map(([id, answer, said]) => makeReview(id, answer, said)),
  { maxLength: 6 },
)
const everything = ({ book }: Merged): unknown =>
  ['p', 'q'].flatMap((id) => answers.map((answer) => book.reviewFor(id, answer)))

test('merging loses no review, and merging again changes nothing', () => {
  fc.assert(
    fc.property(reviews, reviews, (log, named) => {
      const once = mergeReviews(log, named)
      expect(once.log.slice(0, log.length)).toEqual(log)
      for (const { questionId, answer } of [...log, ...named])
        expect(once.book.reviewFor(questionId, answer)).not.toEqual({ kind: 'new', note: '' })
      const again = mergeReviews(once.log, named)
      expect(again.log).toEqual(once.log)
      expect(everything(again)).toEqual(everything(once))
    }),
    { numRuns: 500 },
  )
})

describe('a review that was made in the workbench', () => {
  const make = (said: string): Review => ({
    ...say(said),
    made: { by: 'ada', at: '2026-11-27T12:00:00.000Z' },
  })
  test.each<[string, Review[], unknown]>([
    ['replaces rating and note', [say('poor: too short'), make('poor')], { review: 'poor', note: '' }],
    ['is taken back by an empty one', [say('poor: too short'), make('')], undefined],
    ['can be made again', [make('good'), make(''), make('poor: no')], { review: 'poor', note: 'no' }],
  ])('%s', (_, made, expected) => {
    expect(knownOf(made)).toEqual(
      expected === undefined ? { kind: 'new', note: '' } : { kind: 'reviewed', ...expected },
    )
  })

  test('counts again where it was changed and changed back', () => {
    const [first, second, third] = ['good', 'poor', 'good'].map((said, hour) => ({
      ...say(said),
      made: { by: 'ada', at: `2026-11-27T1${hour}:00:00.000Z` },
    })) as [Review, Review, Review]
    const { book, log } = mergeReviews([first], [first, second, third])
    expect(book.reviewFor('q', fourteen)).toMatchObject({ review: 'good' })
    // A table that was written in between undoes nothing.
    expect(mergeReviews(log, [say('poor')]).fresh).toEqual([])
    // Rows of repeats hold one review.
    expect(mergeReviews([], [first, first]).fresh).toEqual([first])
  })
})

const QUESTIONS = [
  { id: '001', message: 'How many days of leave?' },
  { id: '5', message: 'Where is the printer?' },
  { id: '6', message: 'Where is the canteen?' },
  { id: '7', message: 'And there?' },
  { id: '8', message: 'And there?' },
]

test.each([
  ['an id of the run', '5', '', '5'],
  ['an id with its text', '5', 'WHERE is the  printer?', '5'],
  ['an unknown id with a text', '1', 'How many days of leave?', '001'],
  ['the id of another question with a text', '6', 'Where is the printer?', '5'],
  ['an edited question, which keeps its id', '5', 'Where is the old printer?', '5'],
  ['an unknown id with a text of two questions', '99', 'And there?', '99'],
  ['the id of one question of two with a text', '8', 'And there?', '8'],
  ['an unknown id without a text', '1', '', '1'],
])('%s: %s %j belongs to %s', (_, id, message, expected) => {
  const { log } = mergeReviews([{ ...say('good', 'An answer.', id), message }], [], QUESTIONS)
  const text = QUESTIONS.find((question) => question.id === expected)?.message ?? message
  expect(log).toMatchObject([{ questionId: expected, message: text, answer: 'An answer.' }])
})
