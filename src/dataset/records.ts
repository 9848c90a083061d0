// The records of a table, whether it is a CSV file or the sheet of a workbook: finds the header below titles,
// passes on the rows below it, and reports cells without a column.
import { excerpt, type FileMessages } from './messages.ts'

export interface TableRecord {
  readonly cells: readonly string[]
  /** Physical line of a CSV file, or row of a sheet, on which the record begins, from 1. */
  readonly line: number
}

export interface TableFile {
  /** `sha256:<hex>` of the file's bytes. */
  readonly digest: string
  /** `xlsx` for a workbook. */
  readonly encoding: string
  /** Empty for a file of one column, and for a workbook. */
  readonly delimiter: string
  readonly sheet?: string
  /** Number of rows with content, faulty ones included. */
  readonly rows: number
  /** False if a faulty row was reported and left out. */
  readonly isComplete: boolean
}

/**
 * Receives the header and the cells of some rows below it. Returns a callback for the rows, or undefined
 * after reporting a faulty header.
 */
export type OpenTable = (
  header: TableRecord,
  sample: readonly (readonly string[])[],
) => ((row: TableRecord) => void) | undefined

/** Receives a row that is reported because it has cells without a column; the row is left out otherwise. */
export type TakeNameless = (row: TableRecord) => void

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

/** `records`: the first `HEAD_RECORDS` with content. */
export function findHead(records: readonly (readonly string[])[], isHeader: IsHeader): Head {
  const found = records.slice(0, MAX_TITLES + 1).findIndex(isHeader)
  const titles = Math.max(0, found)
  const [header = [], ...sample] = records.slice(titles)
  return { isFound: found !== -1, titles, header, sample }
}

export const EMPTY_FILE = 'the file is empty; it needs a header row and a question'

export const hasContent = (cells: readonly string[]): boolean => cells.some((cell) => cell.trim() !== '')

/**
 * Takes the records with content of one table, in order. `skipped`: records above the titles that are none.
 * `namelessHint`: what to do about a cell without a column.
 */
export function createRecordTaker(
  { titles, sample }: Head,
  { skipped = 0, namelessHint }: { readonly skipped?: number; readonly namelessHint: string },
  open: OpenTable,
  { fail, warn }: FileMessages,
  takeNameless: TakeNameless = () => undefined,
) {
  let above = skipped + titles
  let [rows, isComplete] = [0, true]
  let header: readonly string[] | undefined
  let take: ReturnType<OpenTable>
  return {
    /** `fault`: what is wrong with the record itself; null where it is said for the whole table. */
    take: (record: TableRecord, fault: () => string | null | undefined): void => {
      if (above > 0) {
        above -= 1
        return
      }
      const isFirst = header === undefined
      if (!isFirst) rows += 1
      // The header is faulty.
      if (!isFirst && take === undefined) return
      const misread = fault()
      const message =
        misread === undefined ? findNameless(record.cells, header ?? record.cells, namelessHint) : misread
      header ??= record.cells
      if (message !== undefined) {
        if (message !== null) fail({ line: record.line, message })
        isComplete = false
        if (misread === undefined) takeNameless(record)
      } else if (isFirst) {
        take = open(record, sample)
        const note = `the header stands in this line; lines above it that were not read: ${titles}`
        if (titles > 0) warn({ line: record.line, message: note })
      } else take?.(record)
    },
    end: (): Pick<TableFile, 'rows' | 'isComplete'> | undefined => header && { rows, isComplete },
  }
}

function findNameless(cells: readonly string[], header: readonly string[], hint: string): string | undefined {
  if (header === cells) return undefined
  const nameless = cells.findLast((cell, index) => cell.trim() !== '' && (header[index] ?? '').trim() === '')
  if (nameless === undefined) return undefined
  const named = header.filter((cell) => cell.trim() !== '').length
  const last = `the last cell is ${excerpt(nameless)}`
  return `the row has ${cells.length} cells, the header ${named} (${last}); ${hint}`
}
