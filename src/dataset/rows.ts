// The records of one file: the first is the header, the others are rows, or become some where they are another tool's.
import type { CsvRecord } from './csv.ts'
import { excerpt } from './excerpt.ts'
import { chooseFormat, type FormatChoice } from './formats.ts'
import { importRecords, readForeignHeader } from './imports/format.ts'
import { listPlaces, readNativeLayout, readResultsLayout, undoDefusing, type Layout } from './layout.ts'
import type { FileRemarks, HeaderFault } from './remarks.ts'
import { readRow, type Row } from './row.ts'

export interface FileRows {
  readonly layout: Layout
  /** In the order of the file; those that could not be read are missing. */
  readonly rows: readonly Row[]
  /** A missing turn is no fault: a row was lost for another one, or the file holds results. */
  readonly mayHaveGaps: boolean
}

export interface RowsReader {
  /** The records of the file in their order, the header first. */
  readonly take: (record: CsvRecord) => void
  /** `isWhole`: the file was read to its end. Undefined, and reported, where no row could be read. */
  readonly end: (isWhole: boolean) => FileRows | undefined
}

export function createRowsReader(choice: FormatChoice, remarks: FileRemarks): RowsReader {
  let isBegun = false
  let body: (Omit<RowsReader, 'end'> & { readonly end: (isWhole: boolean) => FileRows }) | undefined
  return {
    take: (record) => {
      if (isBegun) body?.take(record)
      else body = openBody(record, choice, remarks)
      isBegun = true
    },
    end: (isWhole) => {
      if (!isBegun && isWhole)
        remarks.fail({ message: 'the file holds only empty rows; it needs a header row and a question' })
      return body?.end(isWhole)
    },
  }
}

/** Undefined, and reported, where the header is at fault. */
function openBody(
  { cells: header, line, brokenCell }: CsvRecord,
  { format }: FormatChoice,
  remarks: FileRemarks,
) {
  const reject = (faults: readonly HeaderFault[]): undefined => {
    for (const fault of faults) remarks.fail({ line, ...fault })
  }
  if (brokenCell !== undefined) return reject([{ message: describeBroken(brokenCell) }])
  const results = format === undefined ? readResultsLayout(header) : undefined
  const foreign = results === undefined ? chooseFormat(header, format) : undefined
  let [records, admitted] = [0, 0]
  const count = (
    record: CsvRecord,
    take: (record: CsvRecord) => void,
    isAnyLength: (place: number) => boolean = () => false,
  ): void => {
    records += 1
    if (!admits(record, header, remarks, isAnyLength)) return
    admitted += 1
    take(record)
  }
  const checkEmpty = (isWhole: boolean): void => {
    if (isWhole && records === 0)
      remarks.fail({ line, message: 'a header, but no question; add a row under it' })
  }
  if (foreign !== undefined) {
    const reading = readForeignHeader(foreign, header)
    if ('faults' in reading) return reject(reading.faults)
    const held: CsvRecord[] = []
    return {
      take: (record: CsvRecord) => count(record, (one) => held.push(one)),
      end: (isWhole: boolean): FileRows => {
        checkEmpty(isWhole)
        const imported = importRecords(foreign, reading, held, remarks)
        const rows = imported.records.map((record) => readRow(imported.layout, record, remarks.fail))
        return { layout: imported.layout, rows, mayHaveGaps: !isWhole || admitted < records }
      },
    }
  }
  const reading = results ?? readNativeLayout(header)
  if (reading.kind === 'faulty') return reject(reading.faults)
  const { layout } = reading
  const reader = new RowReader(layout, remarks)
  const isDropped = (place: number): boolean => layout.results?.dropped.has(place) ?? false
  return {
    take: (record: CsvRecord) => count(record, (one) => reader.take(one), isDropped),
    end: (isWhole: boolean): FileRows => {
      checkEmpty(isWhole)
      const mayHaveGaps = !isWhole || admitted < records || layout.results !== undefined
      return { layout, rows: reader.rows, mayHaveGaps }
    },
  }
}

const describeBroken = (cell: number): string =>
  `cell ${cell + 1} goes on after its closing quote; write "" for a quote inside a quoted cell, and look for one that was never closed`
/** Over this a cell is no question but a file, or the trace of a quote that was never closed. */
const LARGEST_CELL_BYTES = 256 * 1024

/**
 * False, and reported, where a record has not the shape that the header says: its thread and turn are not to be trusted. Missing cells
 * are taken as empty, as some spreadsheets leave them out. `isAnyLength`: of the cells at a place, from 0.
 */
export function admits(
  { cells, line, brokenCell }: CsvRecord,
  header: readonly string[],
  { fail, warn }: FileRemarks,
  isAnyLength: (place: number) => boolean,
): boolean {
  const places = listPlaces(header)
  const reject = (message: string): boolean => {
    fail({ line, message })
    return false
  }
  const large = cells.findIndex(
    (cell, place) =>
      cell.length * 3 > LARGEST_CELL_BYTES &&
      Buffer.byteLength(cell) > LARGEST_CELL_BYTES &&
      !isAnyLength(place),
  )
  if (large !== -1)
    return reject(
      `cell ${large + 1} holds over 256 KB; shorten it, or look for a quote that was never closed`,
    )
  if (brokenCell !== undefined) return reject(describeBroken(brokenCell))
  const extra = cells.findLast((cell, index) => index >= places.length && cell.trim() !== '')
  if (extra !== undefined)
    return reject(
      `the row has ${cells.length} cells where the header names ${places.length} (the last is ${excerpt(extra)}); put quotes around a cell that holds the separator, or name the column`,
    )
  const nameless = places.find((place) => place.header === '' && (cells[place.index] ?? '').trim() !== '')
  if (nameless !== undefined)
    return reject(
      `cell ${nameless.index + 1} (${excerpt(cells[nameless.index] ?? '')}) stands under no column name; name the column in the header, or empty its cells`,
    )
  if (cells.length < places.length)
    warn(
      {
        line,
        message: `the row has fewer cells than the header names (${cells.length} of ${places.length}); the missing ones are taken as empty`,
      },
      'short row',
    )
  return true
}

/** Reads records by a layout; repeats of results fold into one question. */
class RowReader {
  readonly rows: Row[] = []
  readonly #layout: Layout
  readonly #remarks: FileRemarks
  readonly #firsts = new Map<string, { readonly repeat: string; readonly row: Row }>()

  constructor(layout: Layout, remarks: FileRemarks) {
    this.#layout = layout
    this.#remarks = remarks
  }

  take(record: CsvRecord): void {
    const { results } = this.#layout
    const cells = results === undefined ? record.cells : record.cells.map(undoDefusing)
    const row = readRow(this.#layout, { ...record, cells }, this.#remarks.fail)
    if (results !== undefined && this.#isRepeat(row, cells[results.repeat] ?? '')) return
    this.#checkTurn(row)
    this.rows.push(row)
  }

  /** Rows of one id, thread and turn are repeats if their numbers differ; else the id stands twice. */
  #isRepeat(row: Row, repeat: string): boolean {
    if (row.id === '') return false
    const key = JSON.stringify([row.id, row.thread, row.turn])
    const first = this.#firsts.get(key)
    if (first === undefined) this.#firsts.set(key, { repeat, row })
    if (first === undefined || first.repeat === repeat) return false
    if (this.#contentOf(first.row) !== this.#contentOf(row))
      this.#remarks.fail({
        line: row.line,
        column: 'message',
        message: `a repeat of the question in line ${first.row.line}, but with another message, tags or columns; make them alike, or delete one of the rows`,
      })
    return true
  }

  /** What is asked and expected: all of a row that is no result. */
  #contentOf({ message, tags, cells }: Row): string {
    return JSON.stringify([
      message,
      tags,
      this.#layout.carried.map(({ index }) => cells[index]?.trim() ?? ''),
    ])
  }

  #checkTurn({ thread, turn, line }: Row): void {
    if (thread !== '' || turn === undefined || !(turn > 1) || this.#layout.results !== undefined) return
    this.#remarks.fail({
      line,
      column: 'turn',
      message: `turn ${turn} in a row without a thread, which would be a conversation of its own; name its thread, or empty the turn`,
    })
  }
}
