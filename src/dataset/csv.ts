// Reads a CSV file into records with line numbers: detects the separator, then parses with csv-parse.
import { pipeline } from 'node:stream/promises'
import { CsvError, parse, type Options } from 'csv-parse'
import { parse as parseSync } from 'csv-parse/sync'
import { findColumn } from './columns.ts'
import type { FileMessages } from './messages.ts'
import {
  createRecordTaker,
  EMPTY_FILE,
  findHead,
  hasContent,
  HEAD_RECORDS,
  type IsHeader,
  type OpenTable,
  type TableFile,
  type TakeNameless,
} from './records.ts'
import { openText } from './text.ts'

export async function readCsv(
  path: string,
  messages: FileMessages,
  open: OpenTable,
  isHeader: IsHeader,
  takeNameless?: TakeNameless,
): Promise<TableFile | undefined> {
  const file = await openText(path)
  if (!('digest' in file)) {
    for (const fault of file) messages.fail(fault)
    return undefined
  }
  const { digest, encoding, head, chunks } = file
  if (encoding === 'windows-1252')
    messages.warn({
      message:
        'the file is not UTF-8 and is read as Windows-1252; if letters look wrong, save it as "CSV UTF-8"',
    })
  const { delimiter, skipped, ...found } = examineHead(head.subarray(0, SAMPLE_BYTES), isHeader)
  const namelessHint = 'quote cells that contain the separator, or name the column'
  const records = createRecordTaker(found, { skipped, namelessHint }, open, messages, takeNameless)
  let [line, row, isClosed] = [1, 1, true]
  const parser = parse({
    ...PARSE_OPTIONS,
    delimiter,
    raw: true,
    on_record: (both: unknown, { lines }) => {
      const { record: cells, raw } = both as { readonly record: string[]; readonly raw: string }
      if (hasContent(cells)) records.take({ cells, line }, () => findFault(cells, raw, delimiter))
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
    messages.fail({ line, message })
    isClosed = false
  }
  const ended = records.end()
  if (ended === undefined) {
    if (isClosed) messages.fail({ message: EMPTY_FILE })
    return undefined
  }
  return {
    digest,
    encoding,
    delimiter: delimiter === NO_DELIMITER ? '' : delimiter,
    rows: ended.rows,
    isComplete: ended.isComplete && isClosed,
  }
}

/** Quotes inside unquoted cells are text. Rows of any length are accepted here; `findFault` checks them. */
const PARSE_OPTIONS = {
  bom: true,
  record_delimiter: '\n',
  ltrim: true,
  relax_quotes: true,
  relax_column_count: true,
} as const satisfies Options

function findFault(cells: readonly string[], raw: string, delimiter: string): string | undefined {
  if (cells.some((cell) => cell.includes('\0')))
    return (
      'NUL byte: the file is not plain text, or it is UTF-16 without a byte order mark; save it ' +
      'as "CSV UTF-8"'
    )
  const quoted = cells.findIndex((cell) => cell.startsWith('"'))
  if (quoted === -1 || !hasOpenQuote(raw, delimiter)) return undefined
  return (
    `cell ${quoted + 1} continues after its closing quote; write "" for a quote in a quoted ` +
    'cell, or look for a quote that was never closed'
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
const DELIMITERS = [',', ';', '\t'] as const
/** Enough for `HEAD_RECORDS`, unless records are very long. */
const SAMPLE_BYTES = 2 ** 17
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
  return {
    ...best.head,
    delimiter: best.cells === 1 ? NO_DELIMITER : best.delimiter,
    skipped: separator === undefined ? 0 : 1,
  }
}

function tryDelimiter(sample: Buffer, delimiter: string, isHeader: IsHeader) {
  const records: string[][] = []
  try {
    const options = { ...PARSE_OPTIONS, delimiter, skip_empty_lines: true, to: HEAD_RECORDS }
    parseSync(sample, {
      ...options,
      on_record: (cells: string[]) => {
        if (hasContent(cells)) records.push(cells)
        return null
      },
    })
  } catch {
    // Expected: quotes are invalid under the wrong delimiter, and the sample may end within a cell.
  }
  const head = findHead(records, isHeader)
  const { header, titles, sample: rows } = head
  const columns = header.flatMap((cell) => findColumn(cell) ?? [])
  return {
    delimiter,
    head,
    /** Number of known columns in the header; `message` outweighs all others. */
    known: columns.length + (columns.some(({ name }) => name === 'message') || titles > 0 ? 100 : 0),
    cells: header.length,
    evenRows: rows.filter((row) => row.length === header.length).length / Math.max(1, rows.length),
  }
}
