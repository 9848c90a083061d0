// The gate of a file: whether a record has the shape that the header says, whatever its cells mean.
import { excerpt } from './excerpt.ts'
import { listPlaces } from './header.ts'
import { checkRecord } from './record-check.ts'
import type { CsvRecord } from './records.ts'
import type { TableListener } from './table-listener.ts'

export class RecordGate {
  readonly #header: readonly string[]
  readonly #width: number
  /** Places of columns without a name: their cells have to be empty. */
  readonly #nameless: readonly number[]
  readonly #listener: Pick<TableListener, 'fail' | 'warn'>
  readonly #isAnyLength: (place: number) => boolean
  /** What is told once a file. */
  readonly #told = new Set<number>()

  /** `isAnyLength`: whether the cells at a place, from 0, may be longer than those of a question set. */
  constructor(
    header: readonly string[],
    listener: Pick<TableListener, 'fail' | 'warn'>,
    isAnyLength: (place: number) => boolean = () => false,
  ) {
    const places = listPlaces(header)
    this.#header = header
    this.#width = places.length
    this.#nameless = places.filter((place) => place.header === '').map(({ index }) => index)
    this.#listener = listener
    this.#isAnyLength = isAnyLength
  }

  /** False, and told, where the record cannot be read at all. */
  admits(record: CsvRecord): boolean {
    const fault = checkRecord(record, this.#width, this.#header, this.#isAnyLength)
    if (fault === undefined) this.#noteShape(record)
    else this.#listener.fail({ line: record.line, message: fault })
    return fault === undefined
  }

  /** Missing cells are taken as empty, as some spreadsheets leave them out; cells without a name are a fault. */
  #noteShape({ cells, line }: CsvRecord): void {
    if (cells.length < this.#width)
      this.#listener.warn(
        {
          line,
          message: `the row has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'} where the header names ${this.#width}; the missing ones are taken as empty`,
        },
        'short row',
      )
    for (const index of this.#nameless) {
      const cell = cells[index]?.trim() ?? ''
      if (cell === '' || this.#told.has(index)) continue
      this.#told.add(index)
      this.#listener.fail({
        line,
        message: `cell ${index + 1} (${excerpt(cell)}) stands under no column name; name the column in the header, or empty its cells`,
      })
    }
  }
}
