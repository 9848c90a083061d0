// Reads reviews from `results.csv`, `comparison.csv`, or a separate table.
import { RATINGS, type Review } from '../domain/review.ts'
import { COLUMNS, findHeaders } from './columns.ts'
import { undoDefusing } from './layout.ts'
import { collectMessages, excerpt, excerptList, type Fault, type FileMessages } from './messages.ts'
import type { TableRecord } from './records.ts'
import { listTables, readTable } from './table.ts'

export interface ReviewResult {
  readonly reviews: readonly Review[]
  readonly faults: readonly Fault[]
  readonly warnings: readonly string[]
}

/**
 * A question may have any number of rows, on several sheets of a workbook. Rows without a review or note are
 * ignored. A file that cannot be read is a fault.
 */
export async function readReviews(path: string): Promise<ReviewResult> {
  const isHeader = (cells: readonly string[]): boolean => isComplete(findColumns(cells))
  const reviews: Review[] = []
  const faults: Fault[] = []
  const warnings: string[] = []
  for (const table of await listTables(path, isHeader)) {
    const messages = collectMessages(table)
    const open = ({ cells, line }: TableRecord) => {
      const columns = findColumns(cells)
      if (isComplete(columns))
        return (row: TableRecord) => void reviews.push(...readReview(row, columns, messages))
      const needed = 'reviews need the columns "id", "answer" (or "candidate_answer"), and "review" or "note"'
      messages.fail({ line, message: `${needed} (found: ${excerptList(cells)}); rename the columns` })
      return undefined
    }
    await readTable(table, messages, open, isHeader)
    faults.push(...messages.faults())
    warnings.push(...messages.warnings())
  }
  return { reviews, faults, warnings }
}

/** Accepted names, in order of preference. `comparison.csv` has the reviewed answer in `candidate_answer`. */
const NAMES = {
  id: ['id', 'question id'],
  message: ['message', ...COLUMNS.message],
  answer: ['answer', 'candidate_answer'],
  review: ['review'],
  note: ['note'],
  reviewer: ['reviewer'],
  reviewedAt: ['reviewed_at'],
}
type Column = keyof typeof NAMES
type Columns = ReadonlyMap<Column, number>

const findColumns = (cells: readonly string[]): Columns => findHeaders(cells.map(undoDefusing), NAMES)

const isComplete = (columns: Columns): boolean =>
  columns.has('id') && columns.has('answer') && (columns.has('review') || columns.has('note'))

function readReview({ cells, line }: TableRecord, columns: Columns, { fail }: FileMessages): Review[] {
  const cell = (column: Column): string => undoDefusing(cells[columns.get(column) ?? -1] ?? '')
  const id = cell('id').trim()
  const [review, note] = [cell('review').trim(), cell('note').trim()]
  const [by, at] = [cell('reviewer').trim(), cell('reviewedAt').trim()]
  // One that was made in the workbench takes back an earlier one where it is empty.
  if (review === '' && note === '' && at === '') return []
  const rating = RATINGS.find((one) => one === review.normalize('NFKC').toLowerCase())
  if (id === '') fail({ line, message: 'the review has no question id; put the id back' })
  else if (review !== '' && rating === undefined)
    fail({ line, message: `the rating ${excerpt(review)} must be one of ${RATINGS.join(', ')}` })
  else {
    const made = at === '' ? {} : { made: { by, at } }
    return [
      { questionId: id, message: cell('message'), answer: cell('answer'), review: rating, note, ...made },
    ]
  }
  return []
}
