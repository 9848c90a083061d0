// Reads the rows of one file: a native question set, the results of a run, or another tool's format.
import { digits } from '../domain/format.ts'
import { columnKey, findColumn, findForeign, type ColumnName, type Renamer } from './columns.ts'
import { chooseFormat } from './formats.ts'
import { readImport } from './imports/format.ts'
import { isResultsHeader, type Layout, readLayout } from './layout.ts'
import type { FileMessages } from './messages.ts'
import { createRoleReader } from './roles.ts'
import { type Headers, readRow, type QuestionRow } from './row.ts'
import type { TableRow } from './source.ts'
import { openTable, type Table } from './table.ts'

export interface FileRows {
  readonly table: Table
  readonly rows: readonly QuestionRow[]
  /** Null stands for a header that keeps its name. */
  readonly columns: readonly { readonly header: string; readonly column: ColumnName | null }[]
  /** Missing turns are no fault: a row was left out, or another tool numbered the turns. */
  readonly mayHaveGaps: boolean
}

export interface ReadOptions {
  readonly format: string | undefined
  readonly renamer: Renamer
  /** Names a copied column: files that spell it differently share the first spelling. */
  readonly nameColumn: (header: string) => string
}

/** Opens the table of a question set. A run's results are given as they were before they were defused. */
export const openSet = async (
  path: string,
  messages: FileMessages,
  options: { readonly renamer: Renamer; readonly isRaw?: boolean },
): Promise<Table | undefined> =>
  openTable(path, messages, { ...options, isHeader: isSetHeader, isDefused: isResultsHeader })

const namesMessage = (cell: string): boolean => findColumn(cell)?.name === 'message'

/** Without a better header, one in another language does: the fault says how to read it. */
const meansMessage = (cell: string): boolean => findForeign(cell) === 'message'

/** `below` is undefined where no header fits the row below it. */
export function isSetHeader(cells: readonly string[], below?: readonly string[]): boolean {
  const index = cells.findIndex(namesMessage)
  if (index === -1)
    return chooseFormat(cells, undefined) !== undefined || (below === undefined && cells.some(meansMessage))
  // Instructions list the columns below each other, with what they mean.
  const under = findColumn(below?.[index] ?? '')?.name ?? 'message'
  return under === 'message' || cells.filter((cell) => cell.trim() !== '').length === 1
}

export async function readRows(
  path: string,
  { format, renamer, nameColumn }: ReadOptions,
  messages: FileMessages,
): Promise<FileRows | undefined> {
  const table = await openSet(path, messages, { renamer })
  if (table === undefined) return undefined
  const { cells: written, line, names } = table.header
  const foreign = chooseFormat(names, format)
  const read =
    foreign === undefined
      ? await readNative(table, nameColumn, messages)
      : await readImport(foreign, names, questionRows(table, messages), nameColumn, messages)
  if ('faults' in read) {
    for (const message of read.faults) messages.fail({ line, message })
    return undefined
  }
  if (read.rows.length === 0 && messages.faults().length === 0)
    messages.fail({ line, message: 'the file has a header, but no questions; add a row' })
  const columns = read.columns.map(({ index, column }) => ({ header: written[index]?.trim() ?? '', column }))
  return { table, rows: read.rows, columns, mayHaveGaps: read.mayHaveGaps || !table.seen.isWhole }
}

/** Names columns as the file does where it has another name for them. */
function headersOf(columns: Layout['columns'], header: readonly string[]): Headers {
  const others = columns.flatMap(({ index, column }) => {
    const name = header[index]?.trim() ?? ''
    return column === null || name === column ? [] : [[column, name] as const]
  })
  return Object.fromEntries(others)
}

/** Longer cells name no column, and comparing them takes time. */
const MAX_HEADER = 100

/** Reports and leaves out rows that are the header again, or the header of another set. */
async function* questionRows({ header, rows }: Table, { fail }: FileMessages): AsyncGenerator<TableRow> {
  const keys = header.cells.map(columnKey)
  const isName = (cell: string): boolean =>
    cell.length <= MAX_HEADER && (keys.includes(columnKey(cell)) || findColumn(cell) !== undefined)
  const isHeader = (cells: readonly string[]): boolean => {
    if (!cells.every((cell) => cell.trim() === '' || isName(cell))) return false
    const isSame = cells.every((cell, index) => columnKey(cell) === (keys[index] ?? ''))
    return isSame || (cells.filter((cell) => cell.trim() !== '').length > 1 && cells.some(namesMessage))
  }
  for await (const row of rows) {
    const message = `the header of line ${header.line} stands here again, as in joined files; delete the line`
    if (isHeader(row.cells)) fail({ line: row.line, message })
    else yield row
  }
}

async function readNative(table: Table, nameColumn: ReadOptions['nameColumn'], messages: FileMessages) {
  const layout = readLayout(table.header.names, table.sample)
  for (const message of layout.notes) messages.warn({ line: table.header.line, message })
  if ('faults' in layout) return layout
  const { own, columns, repeat } = layout
  const headers = headersOf(columns, table.header.cells)
  const [role] = own.get('role') ?? []
  const roles = role && createRoleReader(role.name, messages)
  const carried = layout.carried.map(({ name, index }) => [nameColumn(name), index] as const)
  // The other repeats of a question in `results.csv` are not asked for again.
  const firsts = new Map<string, { readonly row: QuestionRow; readonly written: string }>()
  const rows: QuestionRow[] = []
  for await (const { cells, line } of questionRows(table, messages)) {
    if (roles?.isQuestion(cells[role?.index ?? -1]?.trim() ?? '', line) === false) continue
    const fields: Partial<Record<ColumnName, string>> = {}
    for (const [name, positions] of own) {
      const text = positions.map(({ index }) => cells[index]?.trim() ?? '').join(';')
      if (text !== '') fields[name] = text
    }
    const carriedCells = Object.fromEntries(carried.map(([name, index]) => [name, cells[index] ?? '']))
    const row = readRow({ line, headers, fields, cells: carriedCells }, messages)
    const key = repeat === undefined || row.id === '' ? undefined : [row.thread, row.turn, row.id].join('\n')
    const first = key === undefined ? undefined : firsts.get(key)
    const written = cells[repeat ?? -1] ?? ''
    if (first === undefined || first.written === written) rows.push(row)
    else if (contentKey(first.row) !== contentKey(row))
      messages.fail({
        line,
        message:
          `it differs from line ${first.row.line}, another repeat of the question; edit both ` +
          'alike, or delete one',
      })
    if (key !== undefined && first === undefined) firsts.set(key, { row, written })
  }
  roles?.reportUnknown()
  const leftOut = roles?.leftOut() ?? 0
  if (leftOut > 0) messages.warn({ message: `rows of the assistant that were left out: ${digits(leftOut)}` })
  return { rows, columns, mayHaveGaps: repeat !== undefined || leftOut > 0 }
}

const contentKey = ({ content, cells }: QuestionRow): string => JSON.stringify([content, cells])
