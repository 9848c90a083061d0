// Reads reviews from `results.csv`, `comparison.csv`, or a separate table.
import { RATINGS, type Review } from '../domain/review.ts'
import { findHeaders, QUESTION_HEADERS } from './columns.ts'
import { collectMessages, excerpt, excerptList, type Fault, type FileMessages } from './messages.ts'
import { openTable, recordsOf, type Table } from './table.ts'

/** The reviewed answer is in `candidate_answer` of `comparison.csv`. Names stand in order of preference. */
const NAMES = {
  id: ['id', 'question id'],
  message: QUESTION_HEADERS,
  answer: ['answer', 'candidate_answer'],
  review: ['review'],
  note: ['note'],
  reviewer: ['reviewer'],
  reviewedAt: ['reviewed_at'],
}

/** Ignores rows without a review or note. A file that cannot be read is a fault. */
export async function readReviews(path: string) {
  const reviews: Review[] = []
  const faults: Fault[] = []
  const warnings: string[] = []
  const paths = [path]
  // A comparison has a sheet for each kind of change.
  for (const tablePath of paths) {
    const messages = collectMessages(tablePath)
    const table = await openTable(tablePath, messages, { isHeader: holdsReviews, isDefused: () => true })
    if (table !== undefined) for await (const review of reviewsOf(table, messages)) reviews.push(review)
    paths.push(...(table?.further ?? []))
    faults.push(...messages.faults())
    warnings.push(...messages.warnings())
  }
  return { reviews, faults, warnings }
}

function holdsReviews(header: readonly string[]): boolean {
  const columns = findHeaders(header, NAMES)
  return columns.has('id') && columns.has('answer') && (columns.has('review') || columns.has('note'))
}

async function* reviewsOf(table: Table, { fail }: FileMessages): AsyncGenerator<Review> {
  const { header } = table
  const columns = findHeaders(header.names, NAMES)
  if (!holdsReviews(header.names)) {
    const needed = 'reviews need the columns "id", "answer" (or "candidate_answer"), and "review" or "note"'
    const found = `(found: ${excerptList(header.cells)})`
    return fail({ line: header.line, message: `${needed} ${found}; rename the columns` })
  }
  for await (const { line, cell } of recordsOf(table, columns)) {
    const [questionId, review, note] = [cell('id'), cell('review'), cell('note')]
    const [by, at] = [cell('reviewer'), cell('reviewedAt')]
    // One that was made in the workbench takes back an earlier one where it is empty.
    if (review === '' && note === '' && at === '') continue
    const rating = RATINGS.find((known) => known === review.normalize('NFKC').toLowerCase())
    if (questionId === '') fail({ line, message: 'the review has no question id; put the id back' })
    else if (review !== '' && rating === undefined)
      fail({ line, message: `the rating ${excerpt(review)} must be one of ${RATINGS.join(', ')}` })
    else {
      const made = at === '' ? {} : { made: { by, at } }
      yield { questionId, message: cell('message'), answer: cell('answer'), review: rating, note, ...made }
    }
  }
}
