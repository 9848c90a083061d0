// Reads a CSV file into rows with line numbers: detects the separator, then parses with csv-parse.
import { pipeline } from 'node:stream/promises'
import { CsvError, parse, type Options } from 'csv-parse'
import { parse as parseSync } from 'csv-parse/sync'
import { findColumn } from './columns.ts'
import { excerpt, type FileMessages } from './messages.ts'
import { openText } from './text.ts'

export interface CsvRecord {
  readonly cells: readonly string[]
  /** Physical line on which the record begins, from 1. */
  readonly line: number
}

export interface CsvFile {
  readonly digest: string
  readonly encoding: string
  /** Empty for a file of one column. */
  readonly delimiter: string
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
  header: CsvRecord,
  sample: readonly (readonly string[])[],
) => ((row: CsvRecord) => void) | undefined

/** Whether a record is a header, and not a title or instructions above it. */
export type IsHeader = (cells: readonly string[]) => boolean

/**
 * Passes the rows with content to `open`'s callback, in order. Reports and skips faulty rows. Returns
 * undefined after reporting a file that cannot be read or has no header. `isHeader`: the first record by
 * default.
 */
export async function readCsv(
  path: string,
  messages: FileMessages,
  open: OpenTable,
  isHeader: IsHeader = () => true,
): Promise<CsvFile | undefined> {
  const { fail, warn } = messages
  const file = await openText(path)
  if (!('digest' in file)) {
    for (const fault of file) fail(fault)
    return undefined
  }
  const { digest, encoding, head, chunks } = file
  if (encoding === 'windows-1252')
    warn({
      message:
        'the file is not UTF-8 and is read as Windows-1252; if letters look wrong, save it as "CSV UTF-8"',
    })
  const { delimiter, titles, sepLines, sample } = examineHead(head.subarray(0, SAMPLE_BYTES), isHeader)
  let [line, row, rows, isComplete] = [1, 1, 0, true]
  let above = sepLines + titles
  let header: readonly string[] | undefined
  let take: ReturnType<OpenTable>
  const read = (record: CsvRecord, raw: string): void => {
    if (above > 0) {
      above -= 1
      return
    }
    const isFirst = header === undefined
    if (!isFirst) rows += 1
    // The header is faulty.
    if (!isFirst && take === undefined) return
    const message = findFault(record.cells, header, raw, delimiter)
    header ??= record.cells
    if (message !== undefined) {
      fail({ line: record.line, message })
      isComplete = false
    } else if (isFirst) {
      take = open(record, sample)
      const note = `the header stands in this line; lines above it that were not read: ${titles}`
      if (titles > 0) warn({ line: record.line, message: note })
    } else take?.(record)
  }
  const parser = parse({
    ...PARSE_OPTIONS,
    delimiter,
    raw: true,
    on_record: (both: unknown, { lines }) => {
      const { record: cells, raw } = both as { readonly record: string[]; readonly raw: string }
      if (cells.some((cell) => cell.trim() !== '')) read({ cells, line }, raw)
      line = lines + 1
      messages.mapRow(line, (row += 1))
      return null
    },
  })
  try {
    await pipeline(chunks(), parser.resume())
  } catch (error) {
    if (!(error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED')) throw error
    const message =
      'a quote opens a cell here and is never closed, so the rows below were not read; close it, or ' +
      'write "" for a quote in a quoted cell'
    fail({ line, message })
    return { digest, encoding, delimiter, rows, isComplete: false }
  }
  if (header === undefined) {
    fail({ message: 'the file is empty; it needs a header row and a question' })
    return undefined
  }
  return { digest, encoding, delimiter: delimiter === NO_DELIMITER ? '' : delimiter, rows, isComplete }
}

/** Quotes inside unquoted cells are text. Rows of any length are accepted here; `findFault` checks them. */
const PARSE_OPTIONS = {
  bom: true,
  record_delimiter: '\n',
  ltrim: true,
  relax_quotes: true,
  relax_column_count: true,
} as const satisfies Options

/** What is wrong with a row, if anything. `header`: undefined for the header itself. */
function findFault(
  cells: readonly string[],
  header: readonly string[] | undefined,
  raw: string,
  delimiter: string,
): string | undefined {
  if (cells.some((cell) => cell.includes('\0')))
    return (
      'NUL byte: the file is not plain text, or it is UTF-16 without a byte order mark; save it ' +
      'as "CSV UTF-8"'
    )
  const quoted = cells.findIndex((cell) => cell.startsWith('"'))
  if (quoted !== -1 && hasOpenQuote(raw, delimiter))
    return (
      `cell ${quoted + 1} continues after its closing quote; write "" for a quote in a quoted ` +
      'cell, or look for a quote that was never closed'
    )
  if (header === undefined) return undefined
  const nameless = cells.findLast((cell, index) => cell.trim() !== '' && (header[index] ?? '').trim() === '')
  if (nameless === undefined) return undefined
  const named = header.filter((cell) => cell.trim() !== '').length
  return (
    `the row has ${cells.length} cells, the header ${named} (the last cell is ` +
    `${excerpt(nameless)}); quote cells that contain the separator, or name the column`
  )
}

/** An unclosed quote extends the cell over later rows, up to the next quote. */
function hasOpenQuote(raw: string, delimiter: string): boolean {
  try {
    parseSync(raw, { ...PARSE_OPTIONS, relax_quotes: false, delimiter })
    return false
  } catch (error) {
    return error instanceof CsvError && error.code === 'CSV_INVALID_CLOSING_QUOTE'
  }
}

/** For a file of one column: a control character (unit separator) that text does not contain. */
const NO_DELIMITER = '\u001f'
/** In order of preference. */
const DELIMITERS = [',', ';', '\t'] as const
/** Enough for `MAX_RECORDS`, unless records are very long. */
const SAMPLE_BYTES = 2 ** 17
/** Maximum number of lines of title or instructions above the header. */
const MAX_TITLES = 10
const MAX_RECORDS = MAX_TITLES + 21
/** The line in which Excel finds the separator of a file: `sep=;`. */
const SEP_LINE = /^\ufeff?"?sep=([^\r\n"])"?[,;\t]*\r?(?:\n|$)/i

/**
 * Finds the separator, the header and some rows below it. Prefers the separator that yields a header with a
 * message column, then most known column names, then rows of even length with many cells.
 */
function examineHead(head: Buffer, isHeader: IsHeader) {
  const [line = '', separator] = SEP_LINE.exec(head.toString('utf8', 0, 20)) ?? []
  const below = head.subarray(Buffer.byteLength(line))
  const trials = (separator === undefined ? DELIMITERS : [separator]).map((delimiter) =>
    tryDelimiter(below, delimiter, isHeader),
  )
  const best = trials.reduce((winner, trial) =>
    (trial.known - winner.known || trial.evenRows * trial.cells - winner.evenRows * winner.cells) > 0
      ? trial
      : winner,
  )
  const { titles, rows, cells, delimiter } = best
  const sepLines = separator === undefined ? 0 : 1
  return { delimiter: cells === 1 ? NO_DELIMITER : delimiter, titles, sepLines, sample: rows }
}

function tryDelimiter(sample: Buffer, delimiter: string, isHeader: IsHeader) {
  const records: string[][] = []
  try {
    const options = { ...PARSE_OPTIONS, delimiter, skip_empty_lines: true, to: MAX_RECORDS }
    parseSync(sample, {
      ...options,
      on_record: (cells: string[]) => {
        if (cells.some((cell) => cell.trim() !== '')) records.push(cells)
        return null
      },
    })
  } catch {
    // Expected: quotes are invalid under the wrong delimiter, and the sample may end within a cell.
  }
  const found = records.slice(0, MAX_TITLES + 1).findIndex(isHeader)
  const titles = Math.max(0, found)
  const [header = [], ...rows] = records.slice(titles)
  const columns = header.flatMap((cell) => findColumn(cell) ?? [])
  return {
    delimiter,
    titles,
    rows,
    /** Number of known columns in the header; `message` outweighs all others. */
    known: columns.length + (columns.some(({ name }) => name === 'message') || found > 0 ? 100 : 0),
    cells: header.length,
    evenRows: rows.filter((row) => row.length === header.length).length / Math.max(1, rows.length),
  }
}
