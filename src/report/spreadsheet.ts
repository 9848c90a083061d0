// CSV files that are safe to open in a spreadsheet, in pieces of text.
import { stringify } from 'csv-stringify/sync'
import { defuse } from '../domain/text.ts'

/** Each piece is one write to the disk. */
const ROWS_A_PIECE = 50

type Cell = string | number | boolean | null | undefined

/** `decimals`: of numbers; without it they are written as they are. Null and undefined give an empty cell. */
export type SheetColumn<Row> = readonly [
  name: string,
  cell: (row: Row) => Cell,
  decimals?: number | undefined,
]

/**
 * Yields the file's text in pieces. Rows are read as they are written. `excelSeparator`: for Excel, a byte
 * order mark and this separator; with `;` decimals have a comma, as where Excel writes `;` itself. Without
 * it, the plain file that programs read.
 */
export function* renderSpreadsheet<Row>(
  columns: readonly SheetColumn<Row>[],
  rows: Iterable<Row>,
  excelSeparator?: string,
): Generator<string> {
  const delimiter = excelSeparator ?? ','
  const textOf = (cell: Cell, decimals: number | undefined): string => {
    if (typeof cell !== 'number' || decimals === undefined) return defuse(String(cell ?? ''))
    return delimiter === ';' ? cell.toFixed(decimals).replace('.', ',') : cell.toFixed(decimals)
  }
  // Readers treat a lone carriage return as the end of a row, so it is quoted.
  const toCsv = (some: string[][]): string => stringify(some, { delimiter, quoted_match: /[\r\n]/ })
  if (excelSeparator !== undefined) yield '\uFEFF'
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
