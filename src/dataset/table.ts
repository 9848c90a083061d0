// The records of one file: the first with content is the header, the others are rows.
import { readLayout } from './layouts.ts'
import { findHeaderWarnings } from './near-miss.ts'
import { isBlank } from './record-check.ts'
import type { CsvRecord } from './records.ts'
import { TableBody } from './table-body.ts'
import type { TableListener } from './table-listener.ts'

export class Table {
  readonly #listener: TableListener
  #headerLine: number | undefined
  /** Absent where the header is at fault: no row could be read by it. */
  #body: TableBody | undefined
  /** Rows with content, but for the header. */
  rows = 0

  constructor(listener: TableListener) {
    this.#listener = listener
  }

  take(record: CsvRecord): void {
    if (isBlank(record.cells)) return
    if (this.#headerLine === undefined) this.#readHeader(record)
    else {
      this.rows += 1
      this.#body?.take(record)
    }
  }

  /**
   * After the last record: the threads, each as the numbers of its rows in the order of the turns. `isWhole`: no
   * row is missing for a fault that was told.
   */
  *threads(isWhole: boolean): Generator<readonly number[]> {
    if (isWhole && this.#headerLine === undefined)
      this.#listener.fail({ message: 'the file holds only empty rows; it needs a header row and a question' })
    else if (isWhole && this.rows === 0)
      this.#listener.fail({
        line: this.#headerLine ?? 1,
        message: 'a header, but no question; add a row under it',
      })
    if (this.#body !== undefined) yield* this.#body.threads(isWhole)
  }

  #readHeader({ cells, line, brokenCell }: CsvRecord): void {
    this.#headerLine = line
    if (brokenCell !== undefined) {
      const message = `header ${brokenCell + 1} goes on after its closing quote; write "" for a quote inside a quoted cell`
      this.#listener.fail({ line, message })
      return
    }
    const reading = readLayout(cells)
    if (reading.kind === 'faulty') {
      for (const fault of reading.faults) this.#listener.fail({ line, ...fault })
      return
    }
    for (const message of findHeaderWarnings(reading.layout)) this.#listener.warn({ line, message })
    this.#body = new TableBody(cells, reading.layout, this.#listener)
  }
}
