// The files that the page saves: what --reviews reads, sign for sign as the harness writes it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { readReviews } from '../../src/dataset/reviews.ts'
import { pictureControls } from '../../src/domain/text.ts'
import { REVIEW_COLUMNS } from '../../src/domain/result-columns.ts'
import type { Review } from '../../src/domain/review.ts'
import { FOUND_COLUMNS, foundCells, reviewCells, toCsv } from '../../src/page/csv.ts'
import { WORDS_OF_REVIEW } from '../../src/page/marks.ts'
import { renderReviewsCsv } from '../../src/report/reviews-csv.ts'
import { askedIn, readSound, writeSet } from '../dataset/reading-files.ts'
import { hostileText } from '../support/hostile.ts'
import { makePageChange, makePageTurn } from '../support/page-turns.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()

const reviews = fc.array(
  fc.record({
    questionId: hostileText(6),
    answer: hostileText(20),
    review: fc.constantFrom(...WORDS_OF_REVIEW),
    note: hostileText(8),
  }),
  { maxLength: 4 },
)

const save = (some: readonly Review[]): string =>
  toCsv([
    REVIEW_COLUMNS,
    ...some.map(({ questionId, answer, review = null, note }) =>
      reviewCells(makePageTurn(questionId, { answer }), { word: review, note }),
    ),
  ])

test('the file of reviews is the one that the harness writes', () => {
  fc.assert(
    fc.property(reviews, (some) => {
      expect(save(some)).toBe([...renderReviewsCsv(some)].join(''))
    }),
  )
})

test('--reviews reads what the page saved', async () => {
  const given: Review[] = [
    { questionId: 'formula', answer: '=1+1', review: 'poor', note: '@note, "quoted"\nsecond line' },
    { questionId: '-dash', answer: "'=already quoted", review: 'good', note: '' },
    { questionId: 'noted', answer: 'A\r\nB\rC', review: undefined, note: 'to be asked' },
    { questionId: 'bell', answer: '\u0007 \u{1F600} ة', review: 'acceptable', note: '' },
  ]
  const path = join(folder, 'reviews.csv')
  writeFileSync(path, save(given))
  const reading = await readReviews(path)
  expect(reading.faults).toEqual([])
  expect(reading.reviews).toEqual(
    given.map((one) => ({ ...one, answer: pictureControls(one.answer).replaceAll(/\r\n?/g, '\n') })),
  )
})

test('--reviews reads what was filtered, too: marks of the page before reviews that it came with', async () => {
  const review = { state: 'carried', word: 'good', note: 'fine' } as const
  const rows = [
    foundCells(makePageTurn('a', { answer: '+49 30', review }), undefined),
    foundCells(makePageTurn('b', { review }), { word: 'poor', note: '' }),
    foundCells(makePageTurn('c', { review: { ...review, state: 'changed' } }), undefined),
    foundCells(makePageTurn('d'), undefined),
  ]
  const path = join(folder, 'questions.csv')
  writeFileSync(path, `\ufeff${toCsv([FOUND_COLUMNS, ...rows])}`)
  const reading = await readReviews(path)
  expect(reading.faults).toEqual([])
  expect(
    reading.reviews.map(({ questionId, answer, review: word, note }) => [questionId, answer, word, note]),
  ).toEqual([
    ['a', '+49 30', 'good', 'fine'],
    ['b', 'Answer to b.', 'poor', ''],
    ['c', 'Answer to c.', undefined, 'fine'],
  ])
})

test('what was filtered is a question set: repeats fold, and a question that was removed is another', async () => {
  const change = makePageChange('Before.', { kinds: ['groundingLost'] })
  const turns = [
    makePageTurn('a', { answer: 'One.', change, tags: ['vpn', 'how-to'] }),
    makePageTurn('a', { answer: 'Two.', repeat: 2, changeAt: 1, tags: ['vpn', 'how-to'] }),
    makePageTurn('b', { thread: 'a', turn: 2, outcome: 'timeout', answer: null, source: '(error)' }),
    // Ids that are numbers move when a row is inserted: the candidate's `a` is not the baseline's.
    makePageTurn('a', {
      message: 'Removed?',
      outcome: null,
      answer: null,
      change: makePageChange('So.', { presence: 'removed' }),
    }),
  ]
  const text = toCsv([FOUND_COLUMNS, ...turns.map((turn) => foundCells(turn, undefined))])
  const set = await readSound(writeSet(folder, `\ufeff${text}`, 'found.csv'))
  expect(set.columns).toEqual([])
  expect(askedIn(set).map(({ id, thread, turn, tags }) => [id, thread, turn, tags])).toEqual([
    ['a', 'a', 1, ['vpn', 'how-to']],
    ['b', 'a', 2, []],
    ['a (removed)', 'a (removed)', 1, []],
  ])
  const [cells] = parse(text.split('\n').slice(0, 4).join('\n'), { columns: true, from: 3 }) as [object]
  expect(cells).toMatchObject({ outcome: 'timeout', context_source: '', context_lost: 'false' })
})

test('no cell of a download begins a formula, and each row has every column', () => {
  fc.assert(
    fc.property(hostileText(12), hostileText(12), (answer, id) => {
      const [row] = parse(toCsv([foundCells(makePageTurn(id, { answer }), undefined)]), {})
      expect(row).toHaveLength(FOUND_COLUMNS.length)
      for (const cell of row ?? []) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
    }),
  )
})
