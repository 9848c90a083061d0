// The records of a file to reviews: the first with content is the header, rows without review and note say nothing.
import type { Review } from '../../domain/review.ts'
import { undoDefusing } from '../defusing.ts'
import { isBlank } from '../record-check.ts'
import { RecordGate } from '../record-gate.ts'
import type { CsvRecord } from '../records.ts'
import type { TableListener } from '../table-listener.ts'
import { readReviewHeader, type ReviewPlaces } from './header.ts'
import { readReviewWord } from './word.ts'

type Listener = Pick<TableListener, 'fail' | 'warn'>

/** What a question's columns would hold if no person had written into them. */
export interface UnreviewedCells {
  readonly review: string
  readonly note: string
}

export interface ReviewListener extends Listener {
  readonly unreviewed: (id: string) => UnreviewedCells | undefined
  readonly review: (review: Review) => void
}

export class ReviewRows {
  readonly #listener: ReviewListener
  #gate: RecordGate | undefined
  /** Absent where the header is at fault: no row could be read by it. */
  #places: ReviewPlaces | undefined

  constructor(listener: ReviewListener) {
    this.#listener = listener
  }

  take(record: CsvRecord): void {
    if (isBlank(record.cells)) return
    if (this.#gate === undefined) this.#readHeader(record)
    else if (this.#places !== undefined && this.#gate.admits(record)) this.#readRow(record, this.#places)
  }

  end(): void {
    if (this.#gate === undefined) this.#listener.fail({ message: 'the file holds only empty rows' })
  }

  #readHeader({ cells, line }: CsvRecord): void {
    // An answer may be as long as it likes; a row may not.
    this.#gate = new RecordGate(cells, this.#listener, () => true)
    const reading = readReviewHeader(cells)
    if (reading.kind === 'places') this.#places = reading.places
    else for (const message of reading.faults) this.#listener.fail({ line, message })
  }

  #readRow({ cells, line }: CsvRecord, places: ReviewPlaces): void {
    const cell = (place: number): string => undoDefusing(cells[place] ?? '')
    const id = cell(places.id).trim()
    const unreviewed = this.#listener.unreviewed(id)
    const written = (column: 'review' | 'note'): string => {
      const text = cell(places[column]).trim()
      return text === unreviewed?.[column].trim() ? '' : text
    }
    const [review, note] = [written('review'), written('note')]
    if (review === '' && note === '') return
    const fail = (column: string, message: string): void => this.#listener.fail({ line, column, message })
    if (id === '') {
      fail('id', "a review, but not of which question; put the question's id back")
      return
    }
    const word = review === '' ? undefined : readReviewWord(review)
    if (word?.kind === 'wrong') fail('review', word.message)
    else this.#listener.review({ questionId: id, answer: cell(places.answer), review: word?.value, note })
  }
}
