// `reviews.csv`: every review that was merged into a run, as a file that can be reviewed on and merged again.
import type { Review } from '../domain/review.ts'
import { renderSpreadsheet } from './spreadsheet.ts'

/** The file's text in pieces, in the order in which the reviews were given. */
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
