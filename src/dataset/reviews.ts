// Reviews that people wrote into `results.csv`, `comparison.csv`, or a table of their own.
import { REVIEW_WORDS, type Review } from '../domain/review.ts'
import { columnKey } from './columns.ts'
import { readCsv, type CsvRecord } from './csv.ts'
import { excerpt, excerptList } from './excerpt.ts'
import { undoDefusing } from './layout.ts'
import { Remarks, type Fault, type FileRemarks } from './remarks.ts'
import { admits } from './rows.ts'

export interface ReviewReading {
  /** Of the rows that are valid, in their order. */
  readonly reviews: readonly Review[]
  /** In the order of the lines. */
  readonly faults: readonly Fault[]
  /** How many more faults there are. */
  readonly truncated: number
  readonly warnings: readonly string[]
}

/** What a question's columns would hold if no person had written into them; undefined where nothing is known of it. */
export type Unreviewed = (id: string) => { readonly review: string; readonly note: string } | undefined

/**
 * Rows in any number for a question; those without review and note say nothing. `unreviewed`: cells that we wrote into the file
 * ourselves. Nothing is thrown but for our own bugs: a file that cannot be read is a fault.
 */
export async function readReviews(
  path: string,
  unreviewed: Unreviewed = () => undefined,
): Promise<ReviewReading> {
  const all = new Remarks()
  const remarks = all.of(0, path)
  const reviews: Review[] = []
  let header: CsvRecord | undefined
  let places: Places | undefined
  await readCsv(path, remarks, (record) => {
    if (header === undefined) places = readHeader((header = record), remarks)
    // An answer may be as long as it likes.
    else if (places !== undefined && admits(record, header.cells, remarks, () => true))
      reviews.push(...readReview(record, places, unreviewed, remarks))
  })
  return { reviews, faults: all.faults(), truncated: all.truncated, warnings: all.warnings() }
}

/** In a comparison the answer reviewed is the candidate's; where both stand, `answer` is the answer. */
const NAMES = {
  id: ['id', 'question id'],
  answer: ['answer', 'candidate answer'],
  review: ['review'],
  note: ['note'],
} as const
/** From 0; -1 where there is no such column. */
type Places = Readonly<Record<keyof typeof NAMES, number>>

/** Undefined, and reported, where the header is at fault. */
function readHeader({ cells, line }: CsvRecord, { fail }: FileRemarks): Places | undefined {
  const keys = cells.map((cell) => columnKey(undoDefusing(cell)))
  const find = (names: readonly string[]): number =>
    keys.indexOf(names.map(columnKey).find((name) => keys.includes(name)) ?? '-')
  const places = {
    id: find(NAMES.id),
    answer: find(NAMES.answer),
    review: find(NAMES.review),
    note: find(NAMES.note),
  }
  const found = `(found: ${excerptList(cells)})`
  const missing = [
    ...(places.id === -1 ? [`no column holds the questions' ids ${found}; name it "id"`] : []),
    ...(places.answer === -1
      ? [`no column holds the answers that were reviewed ${found}; name it "answer", or "candidate_answer"`]
      : []),
    ...(places.review === -1 && places.note === -1
      ? [`no column holds reviews ${found}; name it "review", or have a column "note" at least`]
      : []),
  ]
  for (const message of missing) fail({ line, message })
  return missing.length > 0 ? undefined : places
}

function readReview(
  { cells, line }: CsvRecord,
  places: Places,
  unreviewed: Unreviewed,
  { fail }: FileRemarks,
): Review[] {
  const cell = (column: keyof Places): string => undoDefusing(cells[places[column]] ?? '')
  const id = cell('id').trim()
  const own = unreviewed(id)
  const written = (column: 'review' | 'note'): string => {
    const text = cell(column).trim()
    return text === own?.[column].trim() ? '' : text
  }
  const [review, note] = [written('review'), written('note')]
  if (review === '' && note === '') return []
  const word = REVIEW_WORDS.find((one) => one === review.normalize('NFKC').toLowerCase())
  if (id === '') fail({ line, message: "a review, but not of which question; put the question's id back" })
  else if (review !== '' && word === undefined)
    fail({ line, message: `the review ${excerpt(review)} is none of ${REVIEW_WORDS.join(', ')}` })
  else return [{ questionId: id, answer: cell('answer'), review: word, note }]
  return []
}
