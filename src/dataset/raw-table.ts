// A question set as its rows stand in the file, those included that are no questions.
import type { SetRow } from '../domain/viewed-set.ts'
import { createSetRenamer } from './columns.ts'
import { collectMessages } from './messages.ts'
import { openSet } from './rows.ts'

export interface RawTable {
  readonly columns: readonly string[]
  /** The names are as `--column` renames them. */
  readonly names: readonly string[]
  readonly rows: readonly SetRow[]
  /** It is undefined for a file that cannot be read. */
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
