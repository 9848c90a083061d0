// A question set as its rows stand in the file, those included that are no questions.
import type { SetTable } from '../domain/viewed-set.ts'
import { createRenamer, isOfArticles } from './columns.ts'
import { isResultsHeader, undoDefusing } from './layout.ts'
import { collectMessages } from './messages.ts'
import type { TableRecord } from './records.ts'
import { isSetHeader } from './rows.ts'
import { readTable } from './table.ts'

export interface RawTable extends Pick<SetTable, 'columns' | 'rows'> {
  /** `sha256:<hex>` of the file's bytes; undefined for a file that cannot be read. */
  readonly digest: string | undefined
  /** False where rows are missing that the reader cannot tell apart. */
  readonly isWhole: boolean
}

/** `column`: values of `--column`, which may name the header. Cells of a run's results are not defused. */
export async function readRawTable(path: string, column: readonly string[] = []): Promise<RawTable> {
  const messages = collectMessages(path)
  const renamer = createRenamer(column.filter((one) => !isOfArticles(one)))
  const found: TableRecord[] = []
  let columns: readonly string[] = []
  let nameless = 0
  let plain = (cell: string): string => cell
  const table = await readTable(
    path,
    messages,
    ({ cells: header }) => {
      if (isResultsHeader(header)) plain = undoDefusing
      columns = withoutBlankEnd(header.map(plain))
      return (row) => void found.push(row)
    },
    (cells) => isSetHeader(renamer.rename(cells)),
    (row) => {
      nameless += 1
      found.push(row)
    },
  )
  const rows = found.map(({ cells, line }) => ({
    line,
    cells: padded(withoutBlankEnd(cells).map(plain), columns.length),
  }))
  const isWhole = table !== undefined && messages.faults().length === nameless
  return { digest: table?.digest, columns, rows, isWhole }
}

export const withoutBlankEnd = (cells: readonly string[]): readonly string[] =>
  cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)

export const padded = (cells: readonly string[], length: number): readonly string[] =>
  cells.length >= length ? cells : [...cells, ...Array<string>(length - cells.length).fill('')]
