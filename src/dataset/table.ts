// The records of one file: the first with content is the header, the others are rows, or become some.
import type { FormatChoice } from './formats.ts'
import { readHeader } from './layouts.ts'
import { findHeaderWarnings, findMisspeltColumns } from './near-miss.ts'
import { OpenTable } from './open-table.ts'
import { isBlank } from './record-check.ts'
import { RecordGate } from './record-gate.ts'
import type { CsvRecord } from './records.ts'
import { TableBody } from './table-body.ts'
import type { TableListener } from './table-listener.ts'

export class Table {
  readonly #choice: FormatChoice
  readonly #listener: TableListener
  #headerLine: number | undefined
  /** Absent where the header is at fault: no row could be read by it. */
  #rows: OpenTable | undefined
  /** Rows with content, but for the header. */
  rows = 0
  /** Its rows may be as long as answers make them, as in a `results.csv`; or none is read, as the header is at fault. */
  mayBeLong = false

  constructor(choice: FormatChoice, listener: TableListener) {
    this.#choice = choice
    this.#listener = listener
  }

  take(record: CsvRecord): void {
    if (isBlank(record.cells)) return
    if (this.#headerLine !== undefined) this.#takeRow(record)
    else this.#readHeader(record)
  }

  /**
   * After the last record: the threads, each as the numbers of its rows in the order of the turns. `isWhole`: no
   * row is missing for a fault that was told.
   */
  *threads(isWhole: boolean): Generator<readonly number[]> {
    if (isWhole && this.#headerLine === undefined)
      this.#listener.fail({ message: 'the file holds only empty rows; it needs a header row and a question' })
    else if (isWhole && this.rows === 0 && this.#rows !== undefined)
      this.#listener.fail({
        line: this.#headerLine ?? 1,
        message: 'a header, but no question; add a row under it',
      })
    if (this.#rows === undefined) return
    this.#rows.end(isWhole && this.rows > 0)
    yield* this.#rows.body.threads(isWhole)
  }

  #takeRow(record: CsvRecord): void {
    this.rows += 1
    this.#rows?.take(record)
  }

  #readHeader({ cells, line, brokenCell }: CsvRecord): void {
    this.#headerLine = line
    if (brokenCell !== undefined) {
      const message = `header ${brokenCell + 1} goes on after its closing quote; write "" for a quote inside a quoted cell`
      this.#listener.fail({ line, message })
      return
    }
    const reading = readHeader(cells, this.#choice)
    if (reading.kind === 'faulty') {
      for (const fault of reading.faults) this.#listener.fail({ line, ...fault })
      // No row is read by it: how long they are is not what is wrong.
      this.mayBeLong = true
      return
    }
    const { layout, importing } = reading
    for (const fault of findMisspeltColumns(layout)) this.#listener.fail({ line, ...fault })
    for (const message of findHeaderWarnings(layout)) this.#listener.warn({ line, message })
    const body = new TableBody(layout, this.#listener)
    this.mayBeLong = layout.dropped !== undefined
    const isDropped = (place: number): boolean => layout.dropped?.has(place) ?? false
    const gate = new RecordGate(cells, this.#listener, isDropped)
    this.#rows = new OpenTable(gate, body, importing, this.#listener)
  }
}
