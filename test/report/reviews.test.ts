// Reviews in words, and in the file that keeps them.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readReviews } from '../../src/dataset/reviews.ts'
import { REVIEW_WORDS, type ReviewCounts } from '../../src/domain/review.ts'
import { renderReviewsCsv } from '../../src/report/reviews-csv.ts'
import { describeAwaited, describeReviews } from '../../src/report/reviews.ts'
import { renderScreen } from '../../src/report/screen.ts'
import { renderSummaryMarkdown } from '../../src/report/summary-markdown.ts'
import { writeSet } from '../dataset/reading-files.ts'
import { makeSummary, noDetails } from '../support/summaries.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { makeTurn } from '../support/turns.ts'

const folder = temporaryFolder()
const none: ReviewCounts = { reviewed: 0, good: 0, acceptable: 0, poor: 0, changed: 0, new: 0 }

test.each<[Partial<ReviewCounts>, string]>([
  [{}, '0 of 0 answers reviewed'],
  [{ reviewed: 1, good: 1 }, '1 of 1 answer reviewed (good 1)'],
  [
    { reviewed: 6, good: 4, poor: 2, changed: 1, new: 2 },
    '6 of 9 answers reviewed (good 4, poor 2); 1 says something else now, 2 are new',
  ],
  [{ changed: 2, new: 1 }, '0 of 3 answers reviewed; 2 say something else now, 1 is new'],
])('%j in words', (counts, words) => {
  expect(describeReviews({ ...none, ...counts })).toBe(words)
})

test.each([
  [undefined, '', 'new'],
  [undefined, 'ask legal', 'new; note: ask legal'],
  ['poor', 'too long', 'was poor, and says something else now; note: too long'],
] as const)('what was thought of it: %s %s', (before, note, words) => {
  expect(describeAwaited({ id: 'q', message: '', before, note })).toBe(words)
})

describe('a summary', () => {
  const turns = [makeTurn()]
  const awaited = [
    { id: 'a', message: 'Why?', before: 'poor' as const, note: '' },
    { id: 'b', message: 'How?', before: undefined, note: '' },
  ]

  test('says nothing of reviews where none is known', () => {
    const summary = makeSummary(turns)
    expect(renderScreen(summary, noDetails)).not.toMatch(/review/i)
    expect(renderSummaryMarkdown(summary, noDetails)).not.toMatch(/review/i)
  })

  test('lists what waits for a person', () => {
    const summary = makeSummary(turns, { reviews: { ...none, changed: 1, new: 11 } })
    expect(renderScreen(summary, { ...noDetails, awaited })).toMatch(
      /Needs your review \(12\):\n {2}a +Why\? +was poor, and says something else now\n {2}b +How\? +new\n {2}and 10 more: see/,
    )
    const text = renderSummaryMarkdown(summary, { ...noDetails, awaited })
    expect(text).toContain('### Needs your review (12)')
    expect(text).toContain('- **a** Why? (was poor, and says something else now)')
  })
})

test('reviews.csv holds what was said, to be read again', async () => {
  // White space at the ends of a note says nothing, and files hold line ends in one form.
  const text = fc.string({ unit: fc.constantFrom(...Array.from('ab,;"\'\n\t=+-@|é日')), maxLength: 20 })
  const review = fc.record({
    questionId: text.map((id) => `q${id}`.trim()),
    answer: text,
    review: fc.option(fc.constantFrom(...REVIEW_WORDS), { nil: undefined }),
    note: text.map((note) => `n${note}`.trim()),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(review, { maxLength: 4 }), async (reviews) => {
      const path = writeSet(folder, [...renderReviewsCsv(reviews)].join(''))
      expect(await readReviews(path)).toMatchObject({ reviews, faults: [], warnings: [] })
    }),
  )
})
