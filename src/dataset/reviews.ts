// Reads reviews from `results.csv`, `comparison.csv`, or a separate table.
import { RATINGS, type Review } from '../domain/review.ts'
import { COLUMNS, columnKey } from './columns.ts'
import { undoDefusing } from './layout.ts'
import { collectMessages, excerpt, excerptList, type Fault, type FileMessages } from './messages.ts'
import type { TableRecord } from './records.ts'
import { listTables, readTable } from './table.ts'

export interface ReviewResult {
  /** From the valid rows, in order. */
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
    const open = (header: TableRecord) => {
      const columns = readHeader(header, messages)
      return columns && ((row: TableRecord) => void reviews.push(...readReview(row, columns, messages)))
    }
    await readTable(table, messages, open, isHeader)
    faults.push(...messages.faults())
    warnings.push(...messages.warnings())
  }
  return { reviews, faults, warnings }
}

/** Column indexes from 0; -1 if the column is missing. */
interface ColumnIndexes {
  readonly id: number
  readonly message: number
  readonly answer: number
  readonly review: number
  readonly note: number
  readonly reviewer: number
  readonly reviewedAt: number
}

function findColumns(cells: readonly string[]): ColumnIndexes {
  const keys = cells.map((cell) => columnKey(undoDefusing(cell)))
  const find = (...names: string[]): number =>
    keys.indexOf(names.find((name) => keys.includes(name)) ?? 'nowhere')
  // `comparison.csv` has the reviewed answer in `candidate_answer`.
  return {
    id: find('id', 'questionid'),
    message: find('message', ...COLUMNS.message.map(columnKey)),
    answer: find('answer', 'candidateanswer'),
    review: find('review'),
    note: find('note'),
    reviewer: find('reviewer'),
    reviewedAt: find('reviewedat'),
  }
}

const hasReviews = ({ review, note }: ColumnIndexes): boolean => review !== -1 || note !== -1

const isComplete = (columns: ColumnIndexes): boolean =>
  columns.id !== -1 && columns.answer !== -1 && hasReviews(columns)

/** Undefined after reporting a faulty header. */
function readHeader({ cells, line }: TableRecord, { fail }: FileMessages): ColumnIndexes | undefined {
  const columns = findColumns(cells)
  const require = (exists: boolean, what: string, fix: string): void => {
    if (!exists) fail({ line, message: `no column has ${what} (found: ${excerptList(cells)}); ${fix}` })
  }
  require(columns.id !== -1, "the questions' ids", 'name it "id"')
  require(columns.answer !== -1, 'the answers that were reviewed', 'name it "answer" or "candidate_answer"')
  require(hasReviews(columns), 'reviews', 'name it "review" or "note"')
  return isComplete(columns) ? columns : undefined
}

function readReview({ cells, line }: TableRecord, columns: ColumnIndexes, { fail }: FileMessages): Review[] {
  const cell = (column: keyof ColumnIndexes): string => undoDefusing(cells[columns[column]] ?? '')
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
