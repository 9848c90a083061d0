// What a file gives as a table: its records, whether it is CSV, the sheet of a workbook or JSON.
import type { FileMessage } from './messages.ts'

export interface TableRow {
  readonly cells: readonly string[]
  /** It is the physical line of a CSV file, row of a sheet, or number of the object in JSON, from 1. */
  readonly line: number
}

export interface TableFile {
  /** It is `sha256:<hex>` of the file's bytes. */
  readonly digest: string
  readonly encoding: string
  /** It is empty for a file of one column, for a workbook, and for JSON. */
  readonly delimiter: string
  readonly sheet?: string
}

export interface TableSource {
  readonly file: TableFile
  readonly head: Head
  readonly namelessHint: string
  readonly records: () => AsyncIterable<SourceRecord> | Iterable<SourceRecord>
}

/** The `row` is its number in a spreadsheet, where lines count otherwise. */
export type SourceRecord =
  | (TableRow & { readonly kind: 'row'; readonly row?: number })
  /** A `broken` record at the end says what is wrong with a faulty row without a message, and others. */
  | (TableRow & { readonly kind: 'faulty'; readonly row?: number; readonly message?: string })
  /** The file is wrong from here on, or many of its rows are, or something is to be said of them. */
  | (FileMessage & { readonly kind: 'broken' | 'note'; readonly row?: number; readonly cells?: undefined })

/** Tells a header from a title or instructions above it. */
export type IsHeader = (cells: readonly string[]) => boolean

/** So many lines of title or instructions may stand above the header. */
const MAX_TITLES = 10
/** So many records below the header show what the columns hold. */
const MAX_SAMPLE = 20

export interface Head {
  /** False if no record is a header; the first is then taken for it. */
  readonly isFound: boolean
  readonly titles: number
  /** It is undefined for an empty file. */
  readonly header: SourceRecord | undefined
  readonly sample: readonly (readonly string[])[]
}

export async function findHead(records: AsyncIterable<SourceRecord>, isHeader: IsHeader): Promise<Head> {
  const first: SourceRecord[] = []
  for await (const record of records) {
    first.push(record)
    if (first.length > MAX_TITLES + MAX_SAMPLE) break
  }
  const found = first.slice(0, MAX_TITLES + 1).findIndex(({ cells = [] }) => isHeader(cells))
  const titles = Math.max(0, found)
  const sample = first.slice(titles + 1).map(({ cells = [] }) => cells)
  return { isFound: found !== -1, titles, header: first[titles], sample }
}

export const EMPTY_FILE = 'the file is empty; it needs a header row and a question'

export const hasContent = (cells: readonly string[]): boolean => cells.some((cell) => cell.trim() !== '')
