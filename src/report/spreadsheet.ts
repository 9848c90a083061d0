// Tables of a run, and CSV files of them that are safe to open in a spreadsheet, in pieces of text.
import { stringify } from 'csv-stringify/sync'
import { defuse } from '../domain/text.ts'

/** Each piece is one write to the disk. */
const ROWS_A_PIECE = 50

export type Cell = string | number | boolean | null | undefined

/** Numbers without `decimals` are written as they are. Null and undefined give an empty cell. */
export type SheetColumn<Row> = readonly [
  name: string,
  cell: (row: Row) => Cell,
  decimals?: number | undefined,
]

export interface SheetTable<Row> {
  readonly columns: readonly SheetColumn<Row>[]
  readonly rows: Iterable<Row>
}

/** Yields the file's text in pieces. Rows are read as they are written. */
export function* renderSpreadsheet<Row>({ columns, rows }: SheetTable<Row>): Generator<string> {
  yield toCsv([columns.map(([name]) => defuse(name))])
  let piece: string[][] = []
  for (const row of rows) {
    piece.push(columns.map(([, cell, decimals]) => textOf(cell(row), decimals)))
    if (piece.length < ROWS_A_PIECE) continue
    yield toCsv(piece)
    piece = []
  }
  yield toCsv(piece)
}

// Readers treat a lone carriage return as the end of a row, so it is quoted.
const toCsv = (rows: string[][]): string => stringify(rows, { quoted_match: /[\r\n]/ })

const textOf = (cell: Cell, decimals: number | undefined): string =>
  typeof cell === 'number' && decimals !== undefined ? cell.toFixed(decimals) : defuse(String(cell ?? ''))

/** No cell is defused: the reader of sets would take the quote for a part of the message. */
export const renderSetCsv = (
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  { delimiter = ',', lineEnd = '\n' } = {},
): string =>
  stringify(
    [columns, ...rows].map((cells) => [...cells]),
    // The reader drops white space before an unquoted cell; a lone carriage return ends a row.
    { delimiter, record_delimiter: lineEnd, quoted_match: /^\s|[\r\n]/ },
  )
