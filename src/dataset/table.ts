// The one way to read a table, wherever it was written: a CSV file, or a sheet of an .xlsx workbook.
import { readCsv } from './csv.ts'
import type { FileMessages } from './messages.ts'
import type { IsHeader, OpenTable, TableFile, TakeNameless } from './records.ts'
import { findWorkbook } from './workbook/address.ts'

/**
 * Passes the rows with content to `open`'s callback, in order. Reports and skips faulty rows. Returns
 * undefined after reporting a file that cannot be read or has no header. `path`: `set.csv`, `set.xlsx`, or
 * `set.xlsx#Sheet`; without a name the first sheet with a header is read. `isHeader`: the first record by
 * default.
 */
export async function readTable(
  path: string,
  messages: FileMessages,
  open: OpenTable,
  isHeader: IsHeader = () => true,
  takeNameless?: TakeNameless,
): Promise<TableFile | undefined> {
  const workbook = findWorkbook(path)
  if (workbook === undefined) return readCsv(path, messages, open, isHeader, takeNameless)
  // Loaded on demand: most files are CSV.
  const { readWorkbook } = await import('./workbook/read.ts')
  return readWorkbook(workbook, messages, open, isHeader, takeNameless)
}

/**
 * The paths of all tables in a file that have such a header: of a workbook, a path for each of its sheets.
 * The path itself if there is none, or if the file cannot be read: `readTable` says why.
 */
export async function listTables(path: string, isHeader: IsHeader): Promise<readonly string[]> {
  const workbook = findWorkbook(path)
  if (workbook === undefined || workbook.sheet !== undefined || workbook.isOld) return [path]
  const { listSheets } = await import('./workbook/read.ts')
  const names = await listSheets(workbook.file, isHeader)
  return names.length === 0 ? [path] : names.map((name) => `${path}#${name}`)
}
