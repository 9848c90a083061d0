// CSV files that are safe to open in a spreadsheet, in pieces of text: never more than a few dozen rows are held.
import { stringify } from 'csv-stringify/sync'
import { defuse } from '../domain/text.ts'

/** Rows in one piece of text: enough to be quick, and so few that they are written while they are young. */
const ROWS_A_PIECE = 50
/** UTF-16 code units, where answers are long. */
const UNITS_A_PIECE = 250_000

/** What Excel takes into one cell; it lets more run over into the next rows. */
const EXCEL_CELL = 32_767

export interface SpreadsheetLayout {
  /**
   * For Excel: a byte order mark, the separator of the question set, cells cut to what it takes. With `;` decimals have a comma, as where
   * Excel writes `;` itself. Undefined: the plain file that programs read.
   */
  readonly excel: { readonly separator: ';' | ',' } | undefined
}

/** A number with so many decimals, or undefined where there is none. */
export type DecimalFormat = (number: number | null | undefined, digits: number) => string | undefined

/** By their names, in their order: what stands in the cell of a row. It may hold anything; nothing is an empty cell. */
export type SheetColumns<Row> = readonly (readonly [
  name: string,
  cell: (row: Row, decimal: DecimalFormat) => string | number | boolean | null | undefined,
])[]

/** The file's text in pieces: rows are read as they are written. */
export function* renderSpreadsheet<Row>(
  columns: SheetColumns<Row>,
  rows: Iterable<Row>,
  { excel }: SpreadsheetLayout = { excel: undefined },
): Generator<string> {
  const separator = excel?.separator ?? ','
  const decimal: DecimalFormat = (number, digits) =>
    excel?.separator === ';' ? number?.toFixed(digits).replace('.', ',') : number?.toFixed(digits)
  const safe = (cell: string): string => {
    const defused = defuse(cell)
    return excel === undefined || defused.length <= EXCEL_CELL
      ? defused
      : `${defused.slice(0, EXCEL_CELL - 1).replace(/[\ud800-\udbff]$/, '')}…`
  }
  if (excel !== undefined) yield '\uFEFF'
  yield toCsv([columns.map(([name]) => safe(name))], separator)
  let piece: string[][] = []
  let units = 0
  for (const row of rows) {
    const cells = columns.map(([, cell]) => safe(String(cell(row, decimal) ?? '')))
    piece.push(cells)
    for (const { length } of cells) units += length
    if (piece.length < ROWS_A_PIECE && units < UNITS_A_PIECE) continue
    yield toCsv(piece, separator)
    ;[piece, units] = [[], 0]
  }
  yield toCsv(piece, separator)
}

// A lone carriage return must be quoted, too: readers take it for the end of a row.
const toCsv = (rows: string[][], delimiter: string): string =>
  stringify(rows, { delimiter, quoted_match: /[\r\n]/ })
