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
    [
      'applies to a cell that a spreadsheet truncated',
      long.slice(0, 32_767).replaceAll('\r\n', '\n'),
      long,
      true,
    ],
    [
      'applies to characters that Windows-1252 does not have',
      'Settings ? Wi-Fi ??',
      'Settings → Wi-Fi 🎉',
      true,
    ],
    ['sees other such characters', 'Go → there', 'Go ← there', false],
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
const merge = (
  log: readonly Review[],
  files: readonly (readonly Review[])[],
  results: readonly Review[] = [],
): Merged => mergeReviews({ log, named: files.flat(), results })

const good = say('good')
const poor = say('poor')
test.each<[string, Review[], Review[][], Review[], string]>([
  ['a file', [], [[good]], [], 'good'],
  ['the later of two files', [], [[good], [poor]], [], 'poor'],
  ['the later row of a file', [], [[good, poor]], [], 'poor'],
  ['a file, over an unedited results table', [good], [[poor]], [good], 'poor'],
  ['an edited results table, over a file', [good], [[poor]], [say('acceptable')], 'acceptable'],
  ['a later edit, over a file that is given again', [good, poor], [[good]], [poor], 'poor'],
  ['an edit without a file', [good], [], [poor], 'poor'],
  ['the merged log', [good], [], [], 'good'],
])('the review that wins is %s', (_, log, files, results, word) => {
  const { book } = merge(log, files, results)
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
const sources = fc.tuple(reviews, fc.array(reviews, { maxLength: 2 }), reviews)
const everything = ({ book }: Merged): unknown =>
  ['p', 'q'].flatMap((id) => answers.map((answer) => book.reviewFor(id, answer)))
/** The reviews as the results tables hold them. */
const written = ({ book }: Merged): Review[] =>
  ['p', 'q'].flatMap((questionId) =>
    answers.flatMap((answer) => {
      const known = book.reviewFor(questionId, answer)
      const review = known.kind === 'reviewed' ? known.review : undefined
      return review === undefined && known.note === ''
        ? []
        : [{ questionId, message: '', answer, review, note: known.note }]
    }),
  )

test('merging loses no review, and merging again changes nothing', () => {
  fc.assert(
    fc.property(sources, ([log, files, results]) => {
      const once = merge(log, files, results)
      expect(once.log.slice(0, log.length)).toEqual(log)
      for (const { questionId, answer } of [...log, ...files.flat(), ...results])
        expect(once.book.reviewFor(questionId, answer)).not.toEqual({ kind: 'new', note: '' })
      for (const again of [merge(once.log, files), merge(once.log, files, written(once))]) {
        expect(again.log).toEqual(once.log)
        expect(everything(again)).toEqual(everything(once))
      }
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

  test('is not undone by a table that was written before it', () => {
    const log = [say('poor'), make('good')]
    const results = [say('poor')]
    expect(mergeReviews({ log, written: 1, named: [], results }).fresh).toEqual([])
    // An edit of that table since is one.
    const edited = [say('acceptable')]
    expect(mergeReviews({ log, written: 1, named: [], results: edited }).fresh).toEqual(edited)
  })
})
