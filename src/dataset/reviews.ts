// A file of reviews, as a spreadsheet or the report page saved it: its reviews, and everything that is wrong with it.
import { REVIEW_WORDS, type Review, type ReviewWord } from '../domain/review.ts'
import { columnKey } from './columns.ts'
import { readCsv, type CsvRecord } from './csv.ts'
import { excerpt, excerptList } from './excerpt.ts'
import { createGate } from './gate.ts'
import { listPlaces, undoDefusing } from './layout.ts'
import { Remarks, type Fault, type FileRemarks, type Remark } from './remarks.ts'
import { suggest } from './suggestion.ts'

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
  let read: ReturnType<typeof openReviews>
  const file = await readCsv(path, remarks, (record) => {
    if (header === undefined) read = openReviews((header = record), unreviewed, remarks)
    else reviews.push(...(read?.(record) ?? []))
  })
  if (file?.isWhole === true && header === undefined)
    remarks.fail({ message: 'the file holds only empty rows' })
  return { reviews, faults: all.faults(), truncated: all.truncated, warnings: all.warnings() }
}

/** Undefined, and reported, where the header is at fault. */
function openReviews(
  header: CsvRecord,
  unreviewed: Unreviewed,
  remarks: FileRemarks,
): ((record: CsvRecord) => Review[]) | undefined {
  const places = readHeader(header, remarks.fail)
  // An answer may be as long as it likes.
  const admits = createGate(header.cells, remarks, () => true)
  return places && ((record) => (admits(record) ? readReview(record, places, unreviewed, remarks.fail) : []))
}

/** In a comparison the answer reviewed is the candidate's; where both stand, `answer` is the answer. */
const NAMES = {
  id: ['id', 'question id'],
  answer: ['answer', 'candidate answer'],
  review: ['review'],
  note: ['note'],
} as const
type Column = keyof typeof NAMES

/** From 0; -1 where there is no such column. Undefined, and reported, where the header is at fault. */
function readHeader(
  { cells, line }: CsvRecord,
  fail: (remark: Remark) => void,
): Readonly<Record<Column, number>> | undefined {
  const headers = listPlaces(cells.map(undoDefusing)).map(({ header }) => header)
  const keys = headers.map(columnKey)
  const faults: string[] = []
  const find = (column: Column): number => {
    const key = NAMES[column].map(columnKey).find((name) => keys.includes(name))
    if (key === undefined) return -1
    if (keys.indexOf(key) !== keys.lastIndexOf(key))
      faults.push(`the column "${column}" stands more than once; rename or delete all but one`)
    return keys.indexOf(key)
  }
  const found = { id: find('id'), answer: find('answer'), review: find('review'), note: find('note') }
  const names = headers.filter((name) => name !== '')
  const missing = (column: Column): string => {
    const near = names.find((name) => suggest(columnKey(name), NAMES[column].map(columnKey)) !== undefined)
    const fix =
      near === undefined ? `name it "${column}"` : `is it ${excerpt(near)}? Then name it "${column}"`
    return `(found: ${excerptList(names)}); ${fix}`
  }
  if (found.id === -1) faults.push(`no column holds the questions' ids ${missing('id')}`)
  if (found.answer === -1)
    faults.push(`no column holds the answers that were reviewed ${missing('answer')}, or "candidate_answer"`)
  if (found.review === -1 && found.note === -1)
    faults.push(`no column holds reviews ${missing('review')}, or have a column "note" at least`)
  for (const message of faults) fail({ line, message })
  return faults.length > 0 ? undefined : found
}

function readReview(
  { cells, line }: CsvRecord,
  places: Readonly<Record<Column, number>>,
  unreviewed: Unreviewed,
  fail: (remark: Remark) => void,
): Review[] {
  const cell = (column: Column): string => undoDefusing(cells[places[column]] ?? '')
  const id = cell('id').trim()
  const own = unreviewed(id)
  const written = (column: 'review' | 'note'): string => {
    const text = cell(column).trim()
    return text === own?.[column].trim() ? '' : text
  }
  const [review, note] = [written('review'), written('note')]
  if (review === '' && note === '') return []
  if (id === '') {
    fail({ line, column: 'id', message: "a review, but not of which question; put the question's id back" })
    return []
  }
  const word = REVIEW_WORDS.find((one) => one === review.normalize('NFKC').toLowerCase())
  if (review !== '' && word === undefined) {
    fail({ line, column: 'review', message: describeWrongWord(review) })
    return []
  }
  return [{ questionId: id, answer: cell('answer'), review: word, note }]
}

/** Words of a German speaker, and of one in a hurry: suggested, never taken, as a review must mean what it says. */
const MEANT: Readonly<Record<ReviewWord, readonly string[]>> = {
  good: ['gut', 'sehr gut', 'prima', 'richtig', 'korrekt', 'great', 'correct', 'right', 'fine', 'g', '+'],
  acceptable: ['akzeptabel', 'ausreichend', 'mittel', 'okay', 'ok', 'in ordnung', 'passable', 'fair', 'a'],
  poor: ['schlecht', 'mangelhaft', 'falsch', 'ungenügend', 'bad', 'wrong', 'p', '-'],
}

function describeWrongWord(text: string): string {
  const typed = text.normalize('NFKC').toLowerCase()
  const meant =
    REVIEW_WORDS.find((one) => MEANT[one].includes(typed)) ??
    suggest(typed, REVIEW_WORDS) ??
    REVIEW_WORDS.find((one) => typed.length >= 3 && one.startsWith(typed))
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`
  return `the review ${excerpt(text)} is none of ${REVIEW_WORDS.join(', ')}${hint}; write one of them, and other words into the note`
}
