// Reviews from several places in one book: the latest word of a person stands, and none is lost.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeReviews, type MergedReviews } from '../../../src/analysis/reviews/merge.ts'
import type { Review } from '../../../src/domain/review.ts'
import { makeReview } from '../../support/reviews.ts'

const a = 'The office opens at 9.'
const say = (said: string, answer = a, id = 'q'): Review => makeReview(id, answer, said)
const wordOf = ({ book }: MergedReviews, answer = a): unknown => book.reviewFor('q', answer)
const merge = (
  log: readonly Review[],
  files: readonly (readonly Review[])[],
  results: readonly Review[] = [],
): MergedReviews =>
  mergeReviews({ log, files: files.map((reviews, at) => ({ name: `file-${at}.csv`, reviews })), results })

describe('whose word stands', () => {
  test.each<[string, Review[], Review[][], Review[], string, RegExp | undefined]>([
    ['one file', [], [[say('good')]], [], 'good', undefined],
    [
      'the later of two files',
      [],
      [[say('good')], [say('poor')]],
      [],
      'poor',
      /1 answer was reviewed otherwise/,
    ],
    [
      'the later row of one file',
      [],
      [[say('good'), say('poor')]],
      [],
      'poor',
      /the later review stands \(q\)/,
    ],
    [
      'a file, over what results only repeat',
      [say('good')],
      [[say('poor')]],
      [say('good')],
      'poor',
      /otherwise/,
    ],
    [
      'an edit of the results, over a file',
      [say('good')],
      [[say('poor')]],
      [say('acceptable')],
      'acceptable',
      /./,
    ],
    [
      'a later edit, over a file named again',
      [say('good'), say('poor')],
      [[say('good')]],
      [say('poor')],
      'poor',
      /file-0/,
    ],
    ['an edit alone, which is no conflict', [say('good')], [], [say('poor')], 'poor', undefined],
    ['what was merged, over an empty cell', [say('good')], [], [], 'good', undefined],
  ])('%s', (_, log, files, results, word, note) => {
    const merged = merge(log, files, results)
    expect(wordOf(merged)).toMatchObject({ kind: 'reviewed', review: word })
    expect(merged.notes.join('\n')).toMatch(note ?? /^$/)
  })
})

test('a note that a spreadsheet took signs from stays as it was written', () => {
  const log = [say('good: Settings → Wi-Fi is wrong')]
  expect(merge(log, [], [say('good: Settings ? Wi-Fi is wrong')]).log).toEqual(log)
  expect(merge(log, [], [say('good: Settings is wrong')]).log).toHaveLength(2)
})

describe('merging', () => {
  const answers = [a, 'At 9 the office opens.', 'The office opens at 10.', 'Ask.', '']
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
  const everything = ({ book }: MergedReviews): unknown =>
    ['p', 'q'].flatMap((id) => answers.map((answer) => book.reviewFor(id, answer)))

  test('loses no review: all that stood in the log stands in it, in its order, and what is new behind it', () => {
    fc.assert(
      fc.property(sources, ([log, files, results]) => {
        const merged = merge(log, files, results)
        expect(merged.log.slice(0, log.length)).toEqual(log)
        for (const { questionId, answer } of [...log, ...files.flat(), ...results])
          expect(merged.book.reviewFor(questionId, answer)).not.toEqual({ kind: 'new', note: '' })
      }),
      { numRuns: 500 },
    )
  })

  test('again what was merged changes nothing', () => {
    fc.assert(
      fc.property(sources, ([log, files, results]) => {
        const once = merge(log, files, results)
        const again = merge(once.log, files)
        expect(again.log).toEqual(once.log)
        expect(everything(again)).toEqual(everything(once))
      }),
      { numRuns: 500 },
    )
  })

  test('with the results that were written from it changes nothing: carrying is idempotent', () => {
    fc.assert(
      fc.property(sources, ([log, files, results]) => {
        const once = merge(log, files, results)
        const written = ['p', 'q'].flatMap((questionId) =>
          answers.flatMap((answer): Review[] => {
            const known = once.book.reviewFor(questionId, answer)
            const review = known.kind === 'reviewed' ? known.review : undefined
            return review === undefined && known.note === ''
              ? []
              : [{ questionId, answer, review, note: known.note }]
          }),
        )
        const again = merge(once.log, files, written)
        expect(again.log).toEqual(once.log)
        expect(everything(again)).toEqual(everything(once))
      }),
      { numRuns: 500 },
    )
  })
})
