// Reviews that people wrote into `results.csv`, `comparison.csv`, or a table of their own.
import { REVIEW_WORDS, type Review } from '../domain/review.ts'
import { columnKey } from './columns.ts'
import { readCsv, type CsvRecord } from './csv.ts'
import { undoDefusing } from './layout.ts'
import { createRemarks, excerpt, excerptList, firstFaults, type Fault, type Remarks } from './remarks.ts'

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
  const remarks = createRemarks(path)
  const reviews: Review[] = []
  await readCsv(path, remarks, (header) => {
    const places = readHeader(header, remarks)
    return places && ((row) => void reviews.push(...readReview(row, places, unreviewed, remarks)))
  })
  return { reviews, ...firstFaults(remarks.faults()), warnings: remarks.warnings() }
}

/** From 0; -1 where there is no such column. */
interface Places {
  readonly id: number
  readonly answer: number
  readonly review: number
  readonly note: number
}

/** Undefined, and reported, where the header is at fault. */
function readHeader({ cells, line }: CsvRecord, { fail }: Remarks): Places | undefined {
  const keys = cells.map((cell) => columnKey(undoDefusing(cell)))
  const find = (...names: string[]): number =>
    keys.indexOf(names.find((name) => keys.includes(name)) ?? 'nowhere')
  // In a comparison the answer reviewed is the candidate's; where both stand, `answer` is the answer.
  const places = {
    id: find('id', 'questionid'),
    answer: find('answer', 'candidateanswer'),
    review: find('review'),
    note: find('note'),
  }
  const require = (isThere: boolean, what: string, fix: string): void => {
    if (!isThere) fail({ line, message: `no column has ${what} (found: ${excerptList(cells)}); ${fix}` })
  }
  const isReviewed = places.review !== -1 || places.note !== -1
  require(places.id !== -1, "the questions' ids", 'name it "id"')
  require(places.answer !== -1, 'the answers that were reviewed', 'name it "answer" or "candidate_answer"')
  require(isReviewed, 'reviews', 'name it "review" or "note"')
  return places.id === -1 || places.answer === -1 || !isReviewed ? undefined : places
}

function readReview(
  { cells, line }: CsvRecord,
  places: Places,
  unreviewed: Unreviewed,
  { fail }: Remarks,
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
  if (id === '') fail({ line, message: 'the review has no question id; put the id back' })
  else if (review !== '' && word === undefined)
    fail({ line, message: `the rating ${excerpt(review)} must be one of ${REVIEW_WORDS.join(', ')}` })
  else return [{ questionId: id, answer: cell('answer'), review: word, note }]
  return []
}
