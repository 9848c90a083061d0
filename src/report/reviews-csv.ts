// `reviews.csv`: every review that was merged into a run, as a file that can be reviewed on and merged again.
import { defuse } from '../domain/text.ts'
import type { Review } from '../domain/review.ts'
import { toCsv } from './spreadsheet.ts'

const COLUMNS = ['id', 'answer', 'review', 'note']
const ROWS_A_PIECE = 500

/** The file's text in pieces, in the order in which the reviews were given. */
export function* renderReviewsCsv(reviews: readonly Review[]): Generator<string> {
  yield toCsv([COLUMNS], ',')
  for (let from = 0; from < reviews.length; from += ROWS_A_PIECE)
    yield toCsv(
      reviews
        .slice(from, from + ROWS_A_PIECE)
        .map(({ questionId, answer, review = '', note }) => [questionId, answer, review, note].map(defuse)),
      ',',
    )
}
