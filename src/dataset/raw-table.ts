// A question set as it stands in its file: all rows, and how it is written, so that a saved set stays so.
import { readFileSync } from 'node:fs'
import { guard } from '../domain/storage-error.ts'
import type { SetRow } from '../domain/viewed-set.ts'
import { createRenamer, createSetRenamer } from './columns.ts'
import { collectMessages } from './messages.ts'
import { openSet } from './rows.ts'

export interface RawTable {
  readonly columns: readonly string[]
  readonly names: readonly string[]
  readonly rows: readonly SetRow[]
  readonly digest: string | undefined
  /** False where rows are missing that the reader cannot tell apart, and for JSON, which is only read. */
  readonly isWhole: boolean
}

/** The `column` values of `--column` may name the header. Cells of a run's results are not defused. */
export async function readRawTable(path: string, column: readonly string[] = []): Promise<RawTable> {
  const table = await openSet(path, collectMessages(path), {
    renamer: createSetRenamer(column),
    isRaw: true,
  })
  if (table === undefined) return { digest: undefined, columns: [], names: [], rows: [], isWhole: false }
  const columns = withoutBlankEnd(table.header.cells)
  const rows: SetRow[] = []
  for await (const { line, cells } of table.rows)
    rows.push({ line, cells: padded(withoutBlankEnd(cells), columns.length) })
  const names = table.header.names.slice(0, columns.length)
  return {
    digest: table.file.digest,
    columns,
    names,
    rows,
    isWhole: table.seen.isWhole && table.file.delimiter !== 'JSON',
  }
}

export const withoutBlankEnd = (cells: readonly string[]): readonly string[] =>
  cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)

export const padded = (cells: readonly string[], length: number): readonly string[] =>
  cells.length >= length ? cells : [...cells, ...Array<string>(length - cells.length).fill('')]

export interface CsvForm {
  readonly encoding: string
  /** A byte order mark and Excel's line `sep=;` stand before the header. */
  readonly start: string
  readonly delimiter: string
  readonly lineEnd: string
}

const PLAIN: CsvForm = { encoding: 'utf-8', start: '', delimiter: ',', lineEnd: '\n' }

const START = /^\ufeff?(?:"?sep=([^\r\n"])"?[,;\t]*\r?\n)?/i

/** A file that cannot be read as a table will be written in the plain form. */
export async function readForm(path: string): Promise<CsvForm> {
  const table = await openSet(path, collectMessages(path), { renamer: createRenamer([]) })
  if (table === undefined) return PLAIN
  const { encoding, delimiter } = table.file
  const { default: iconv } = await import('iconv-lite')
  const text = iconv.decode(
    guard(() => readFileSync(path)),
    encoding,
    { stripBOM: false },
  )
  const [start = '', separator = PLAIN.delimiter] = START.exec(text) ?? []
  const [lineEnd = PLAIN.lineEnd] = /\r?\n/.exec(text) ?? []
  // A file of one column has no separator yet.
  return { encoding, start, delimiter: delimiter === '' ? separator : delimiter, lineEnd }
}

/** Encodes a table as the file was; as UTF-8 with a mark where its encoding lacks a letter. */
export async function encodeCsv(table: string, { encoding, start }: CsvForm): Promise<Uint8Array> {
  const text = start + table
  const { default: iconv } = await import('iconv-lite')
  const bytes = iconv.encode(text, encoding)
  return iconv.decode(bytes, encoding, { stripBOM: false }) === text ? bytes : Buffer.from(`\ufeff${text}`)
}
