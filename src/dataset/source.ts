// What a file gives as a table: its records, whether it is CSV, the sheet of a workbook or JSON.

export interface TableRow {
  readonly cells: readonly string[]
  /** Physical line of a CSV file, row of a sheet, or number of the object in JSON, from 1. */
  readonly line: number
}

export interface TableFile {
  /** `sha256:<hex>` of the file's bytes. */
  readonly digest: string
  /** `xlsx` for a workbook. */
  readonly encoding: string
  /** Empty for a file of one column, for a workbook, and for JSON. */
  readonly delimiter: string
  readonly sheet?: string
}

export interface TableSource {
  readonly file: TableFile
  readonly head: Head
  /** What to do about a cell without a column. */
  readonly namelessHint: string
  /** Reads the records with content, each time from the beginning of the file. */
  readonly records: () => AsyncIterable<SourceRecord> | Iterable<SourceRecord>
}

export type SourceRecord =
  | (TableRow & { readonly kind: 'row' })
  /** Without a message, a `broken` one at the end says what is wrong with all of them. */
  | (TableRow & { readonly kind: 'faulty'; readonly message?: string })
  /** What is wrong with the file from here on, or with many of its rows. */
  | { readonly kind: 'broken'; readonly line?: number; readonly message: string }

/** Tells a header from a title or instructions above it. */
export type IsHeader = (cells: readonly string[]) => boolean

/** Maximum number of lines of title or instructions above the header. */
const MAX_TITLES = 10
/** Number of records with content that a head needs. */
export const HEAD_RECORDS = MAX_TITLES + 21

export interface Head {
  /** False if no record is a header; the first is then taken for it. */
  readonly isFound: boolean
  /** Number of records above the header. */
  readonly titles: number
  readonly header: readonly string[]
  readonly sample: readonly (readonly string[])[]
}

/** Finds the header in the first `HEAD_RECORDS` with content. */
export function findHead(records: readonly (readonly string[])[], isHeader: IsHeader): Head {
  const found = records.slice(0, MAX_TITLES + 1).findIndex(isHeader)
  const titles = Math.max(0, found)
  const [header = [], ...sample] = records.slice(titles)
  return { isFound: found !== -1, titles, header, sample }
}

export const EMPTY_FILE = 'the file is empty; it needs a header row and a question'

export const hasContent = (cells: readonly string[]): boolean => cells.some((cell) => cell.trim() !== '')
