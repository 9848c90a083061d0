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
  /** It is empty for a file of one column and for a workbook, `JSON` for JSON. */
  readonly delimiter: string
  readonly sheet?: string
}

export interface TableSource {
  readonly file: TableFile
  readonly head: Head
  /** It says which other sheets or lists have such a header. */
  readonly unread?: string | undefined
  /** The paths of the other visible sheets with such a header. */
  readonly further?: readonly string[]
  readonly namelessHint: string
  readonly records: () => Records
}

export type Records = AsyncIterable<SourceRecord> | Iterable<SourceRecord>

/** The `row` is its number in a spreadsheet, where lines count otherwise. */
export type SourceRecord =
  | (TableRow & { readonly kind: 'row'; readonly row?: number })
  /** A `broken` record at the end says what is wrong with a faulty row without a message, and others. */
  | (TableRow & { readonly kind: 'faulty'; readonly row?: number; readonly message?: string })
  /** The file is wrong from here on, or many of its rows are. */
  | (FileMessage & { readonly kind: 'broken'; readonly row?: number; readonly cells?: undefined })

/**
 * Tells a header from a title or instructions above it. A reader that knows headers by the row below them,
 * too, is asked with it first, then without.
 */
export type IsHeader = (cells: readonly string[], below?: readonly string[]) => boolean

/** So many lines of title or instructions may stand above the header. */
const MAX_TITLES = 10
/** A title may stand in so many cells less one, whatever the header has. */
const MIN_ROW = 3
/** So many records below the header show what the columns hold. */
const MAX_SAMPLE = 20

export interface Head {
  /** It is 2 for a header that fits the row below it, 1 for another, 0 where the first record has to do. */
  readonly fit: 0 | 1 | 2
  readonly titles: number
  readonly header: SourceRecord | undefined
  readonly sample: readonly (readonly string[])[]
}

export async function findHead(records: Records, isHeader: IsHeader, maxTitles = MAX_TITLES): Promise<Head> {
  const first: SourceRecord[] = []
  for await (const record of records) {
    first.push(record)
    if (first.length > MAX_TITLES + MAX_SAMPLE) break
  }
  const possible = first.slice(0, maxTitles + 1).map(({ cells = [] }) => cells)
  const filled = possible.map((cells) => cells.filter((cell) => cell.trim() !== '').length)
  // A line with as many cells above is no title: a ticket may have the subject "Question".
  const isBelowTitles = (index: number): boolean => {
    const above = Math.max(0, ...filled.slice(0, index))
    return above < MIN_ROW || above < (filled[index] ?? 0)
  }
  const fitting = possible.findIndex((cells, index) => {
    const below = first[index + 1]?.cells
    return below !== undefined && isBelowTitles(index) && isHeader(cells, below)
  })
  const found =
    fitting === -1 ? possible.findIndex((cells, index) => isBelowTitles(index) && isHeader(cells)) : fitting
  const titles = Math.max(0, found)
  const sample = first.slice(titles + 1).map(({ cells = [] }) => cells)
  return { fit: found === -1 ? 0 : fitting === -1 ? 1 : 2, titles, header: first[titles], sample }
}

/** A sheet of a workbook, or a list in JSON. */
export interface Part {
  readonly name: string
  /** Such a part is read only by its name. */
  readonly isHidden?: boolean
  readonly records: () => Records
}

/** Chooses the first part with the best header; `others` have one, too. Undefined: all are empty. */
export async function choosePart<SomePart extends Part>(
  parts: readonly SomePart[],
  isHeader: IsHeader,
  maxTitles?: number,
): Promise<
  { readonly part: SomePart; readonly head: Head; readonly others: readonly SomePart[] } | undefined
> {
  const all = []
  for (const part of parts) all.push({ part, head: await findHead(part.records(), isHeader, maxTitles) })
  const [chosen] = all
    .filter(({ part, head }) => part.isHidden !== true && head.header !== undefined)
    .toSorted((a, b) => b.head.fit - a.head.fit)
  const others = all.filter((other) => other !== chosen && other.head.fit === 2)
  return chosen && { ...chosen, others: others.map(({ part }) => part) }
}

export const EMPTY_FILE = 'the file is empty; it needs a header row, and rows below it'

export const hasContent = (cells: readonly string[]): boolean => cells.some((cell) => cell.trim() !== '')
