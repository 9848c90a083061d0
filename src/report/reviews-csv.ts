// `reviews.csv`: every review that was merged into a run, in the format of `--reviews`.
import type { Review } from '../domain/review.ts'
import { renderSpreadsheet } from './spreadsheet.ts'

/** Yields the file's text in pieces, in the order of the reviews. */
export function renderReviewsCsv(reviews: readonly Review[]): Generator<string> {
  return renderSpreadsheet<Review>(
    [
      ['id', (one) => one.questionId],
      ['answer', (one) => one.answer],
      ['review', (one) => one.review],
      ['note', (one) => one.note],
    ],
    reviews,
  )
}
