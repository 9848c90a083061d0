// Reads a CSV file into records with line numbers: detects the separator, then parses with csv-parse.
import { CsvError, parse, type Options } from 'csv-parse'
import { parse as parseSync } from 'csv-parse/sync'
import { findColumn } from './columns.ts'
import {
  findHead,
  hasContent,
  type Head,
  type IsHeader,
  type SourceRecord,
  type TableSource,
} from './source.ts'
import type { FileText } from './text.ts'

export async function openCsv(text: FileText, isHeader: IsHeader): Promise<TableSource> {
  const { digest, encoding, head: start, chunks } = text
  const [sepLine, separator] = SEP_LINE.exec(start.toString('utf8', 0, 20)) ?? []
  const from_line = sepLine === undefined ? 1 : 2
  const trials = (separator === undefined ? DELIMITERS : [separator]).map(async (delimiter) => {
    const records = readRecords([start.subarray(0, SAMPLE_BYTES)], { delimiter, from_line })
    const head = await findHead(records, isHeader)
    return { delimiter, head, ...rate(head) }
  })
  const { head, delimiter } = (await Promise.all(trials)).reduce((best, trial) =>
    (trial.known - best.known || trial.evenCells - best.evenCells) > 0 ? trial : best,
  )
  const isOneColumn = head.header?.cells?.length === 1
  const options = { delimiter: isOneColumn ? NO_DELIMITER : delimiter, from_line }
  return {
    file: { digest, encoding, delimiter: isOneColumn ? '' : delimiter },
    head,
    namelessHint: 'quote cells that contain the separator, or name the column',
    records: () => readRecords(chunks(), options),
  }
}

/** A file of one column is read with a control character (unit separator) that text does not contain. */
const NO_DELIMITER = '\u001f'
const DELIMITERS = [',', ';', '\t'] as const
/** The head fits into so many bytes, unless records are very long. */
const SAMPLE_BYTES = 2 ** 17
/** Excel finds the separator of a file in this line: `sep=;`. */
const SEP_LINE = /^\ufeff?"?sep=([^\r\n"])"?[,;\t]*\r?(?:\n|$)/i

/** Quotes inside unquoted cells are text. Rows of any length are accepted here; table.ts checks them. */
const PARSE_OPTIONS = {
  bom: true,
  record_delimiter: '\n',
  ltrim: true,
  relax_quotes: true,
  relax_column_count: true,
} as const satisfies Options

/** A good separator gives a header with a message column, known names, and rows of even length. */
function rate({ header, titles, sample }: Head): { readonly known: number; readonly evenCells: number } {
  const names = header?.cells ?? []
  const columns = names.flatMap((name) => findColumn(name) ?? [])
  const hasMessage = columns.some(({ name }) => name === 'message') || titles > 0
  const even = sample.filter((row) => row.length === names.length).length
  return {
    // `message` outweighs all others.
    known: columns.length + (hasMessage ? 100 : 0),
    evenCells: (even / Math.max(1, sample.length)) * names.length,
  }
}

async function* readRecords(
  chunks: ReturnType<FileText['chunks']>,
  options: { readonly delimiter: string; readonly from_line: number },
): AsyncGenerator<SourceRecord> {
  const ready: SourceRecord[] = []
  let [line, row] = [options.from_line, options.from_line]
  const parser = parse({
    ...PARSE_OPTIONS,
    ...options,
    raw: true,
    on_record: (read: unknown, { lines }) => {
      const { record: cells, raw } = read as { readonly record: string[]; readonly raw: string }
      const message = findFault(cells, raw, options.delimiter)
      if (message !== undefined) ready.push({ kind: 'faulty', cells, line, row, message })
      else if (hasContent(cells)) ready.push({ kind: 'row', cells, line, row })
      line = lines + 1
      row += 1
      return null
    },
  })
  // The callback of `end` gets it.
  parser.on('error', () => undefined)
  for await (const chunk of chunks) {
    await new Promise<unknown>((done) => {
      parser.write(chunk, done)
    })
    yield* ready.splice(0)
  }
  const error = await new Promise<unknown>((done) => {
    parser.end(done)
  })
  yield* ready
  if (error === undefined || error === null) return
  if (!(error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED')) throw error
  const message =
    'a quote opens a cell here and is never closed, so the rows below were not read; close it, or ' +
    'write "" for a quote in a quoted cell'
  yield { kind: 'broken', line, row, message }
}

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
