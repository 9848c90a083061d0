// The one way to read a table, wherever it was written: a CSV file, a sheet of an .xlsx workbook, or JSON.
import { undoDefusing } from '../domain/text.ts'
import { createRenamer, type Renamer } from './columns.ts'
import { openCsv } from './csv.ts'
import { exportForm } from './export-form.ts'
import { isJson, openJson } from './json.ts'
import { excerpt, type FileMessages } from './messages.ts'
import { EMPTY_FILE, type IsHeader, type TableFile, type TableRow, type TableSource } from './source.ts'
import { openText } from './text.ts'
import { findWorkbook } from './workbook/address.ts'

export interface Table {
  readonly file: TableFile
  /** The `names` are the cells as `--column` renames them. */
  readonly header: TableRow & { readonly names: readonly string[] }
  readonly sample: readonly (readonly string[])[]
  /** The paths of further sheets with such a header, where none was named. */
  readonly further: readonly string[]
  /** Each loop reads the rows with content in order, and reports faulty rows, which it leaves out. */
  readonly rows: AsyncIterable<TableRow>
  /** The loop counts rows with content, faulty ones, too; `isWhole` if it left none out. */
  readonly seen: { rows: number; isWhole: boolean }
}

export interface TableOptions {
  /** The first record with content is the header by default. */
  readonly isHeader?: IsHeader
  readonly renamer?: Renamer
  /** Cells that were defused for spreadsheets are given as they were before. */
  readonly isDefused?: (header: readonly string[]) => boolean
  /** Ends the fault of JSON that is no table. */
  readonly json?: string
  /** Cells and columns stand as in the file, and rows with cells that have no header are not left out. */
  readonly isRaw?: boolean
}

/**
 * Undefined after reporting what cannot be read, or has no header. `path` is `set.csv`, `set.xlsx`, or
 * `set.xlsx#Sheet`; without a name the first sheet with a header is read.
 */
export async function openTable(
  path: string,
  messages: FileMessages,
  options: TableOptions = {},
): Promise<Table | undefined> {
  const { isHeader = () => true, renamer = createRenamer([]), isDefused, isRaw = false } = options
  const { json = 'a table in JSON is a list of records: [{ "message": "…" }]' } = options
  const isRenamed: IsHeader = (cells, below) => isHeader(renamer.rename(cells), below)
  const source = await openSource(path, messages, isRenamed, json)
  if (source === undefined) return undefined
  const { file, head, unread, further = [], namelessHint, records } = source
  const record = head.header
  if (record === undefined) messages.fail({ message: EMPTY_FILE })
  else messages.mapRow(record)
  if (record?.kind !== 'row') {
    if (record?.kind === 'faulty' && record.message !== undefined)
      messages.fail({ line: record.line, message: record.message })
    for await (const below of records()) {
      messages.mapRow(below)
      if (below.kind === 'broken') messages.fail(below)
    }
    return undefined
  }
  const note = `the header stands in this line; lines above it that were not read: ${head.titles}`
  if (head.titles > 0) messages.warn({ line: record.line, message: note })
  const isPlain = isDefused?.(record.cells) !== true
  const restore = (cells: readonly string[]) => (isPlain ? cells : cells.map(undoDefusing))
  const written = restore(record.cells)
  const { header, formed } = isRaw || !isPlain ? { header: written, formed: restore } : exportForm(written)
  // A run's results hold what the endpoint answered, and its gaps: nobody has to be told of them again.
  if (isPlain) messages.inspect(record)
  if (isPlain && unread !== undefined) messages.warn({ message: unread })
  const seen = { rows: 0, isWhole: true }
  const readRows = async function* (): AsyncGenerator<TableRow> {
    Object.assign(seen, { rows: 0, isWhole: true })
    let above = head.titles + 1
    for await (const below of records()) {
      messages.mapRow(below)
      if (above > 0) above -= 1
      else {
        seen.rows += 1
        const isRow = below.kind === 'row'
        const message = isRow ? describeNameless(below.cells, written, namelessHint) : below.message
        if (message !== undefined) messages.fail({ line: below.line, message })
        if (isRow && (message === undefined || isRaw)) {
          if (isPlain) messages.inspect(below)
          yield { line: below.line, cells: formed(below.cells) }
        } else seen.isWhole = false
      }
    }
  }
  return {
    file,
    header: { line: record.line, cells: header, names: renamer.renameHeader(header) },
    sample: head.sample.map(formed),
    further,
    rows: { [Symbol.asyncIterator]: readRows },
    seen,
  }
}

async function openSource(
  path: string,
  messages: FileMessages,
  isHeader: IsHeader,
  json: string,
): Promise<TableSource | undefined> {
  const workbook = findWorkbook(path)
  if (workbook !== undefined) {
    // Loaded on demand: most files are CSV.
    const { openSheet } = await import('./workbook/read.ts')
    return openSheet(workbook, messages, isHeader)
  }
  const text = await openText(path, messages)
  if (text === undefined) return undefined
  return isJson(path, text.head.toString('utf8', 0, 1000))
    ? openJson(text, messages, isHeader, json)
    : openCsv(text, isHeader)
}

function describeNameless(
  cells: readonly string[],
  header: readonly string[],
  hint: string,
): string | undefined {
  const nameless = cells.findLast((cell, index) => cell.trim() !== '' && (header[index] ?? '').trim() === '')
  if (nameless === undefined) return undefined
  const named = header.filter((cell) => cell.trim() !== '').length
  const last = `the last cell is ${excerpt(nameless)}`
  return `the row has ${cells.length} cells, the header ${named} (${last}); ${hint}`
}

/** Reads rows as records of trimmed cells; a column that the table lacks is empty. */
export async function* recordsOf<Column extends string>(
  { rows }: Table,
  columns: ReadonlyMap<Column, number>,
): AsyncGenerator<{ readonly line: number; readonly cell: (column: Column) => string }> {
  for await (const { line, cells } of rows)
    yield { line, cell: (column) => (cells[columns.get(column) ?? -1] ?? '').trim() }
}
