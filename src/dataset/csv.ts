// A file to records with their lines: the separator found out, then csv-parse.
import { pipeline } from 'node:stream/promises'
import { CsvError, parse, type Options } from 'csv-parse'
import { parse as parseSync } from 'csv-parse/sync'
import { findColumn } from './columns.ts'
import type { FileRemarks } from './remarks.ts'
import { openText } from './text.ts'

export interface CsvRecord {
  readonly cells: readonly string[]
  /** Physical line, from 1, on which the record begins. */
  readonly line: number
  /** The cell, from 0, that goes on after its closing quote: the cells are not to be trusted. */
  readonly brokenCell?: number | undefined
}

export interface CsvFile {
  readonly digest: string
  readonly encoding: string
  /** Empty for a file of one column. */
  readonly delimiter: string
  /** How many records with content there are, the header among them. */
  readonly records: number
  /** False where the reading had to end before the file did, for a fault that was reported. */
  readonly isWhole: boolean
}

/**
 * `take` gets the records with content one after the other, the header first. Undefined, and reported, where the file is no text or
 * cannot be read.
 */
export async function readCsv(
  path: string,
  { fail, warn }: FileRemarks,
  take: (record: CsvRecord) => void,
): Promise<CsvFile | undefined> {
  const file = await openText(path)
  if (file.kind === 'refused') {
    const { message, line } = file
    fail(line === undefined ? { message } : { line, message })
    return undefined
  }
  const { digest, encoding, head, pieces } = file
  if (encoding === 'windows-1252')
    warn({
      message:
        'not UTF-8, so the file is read as Windows-1252; if letters look wrong, save it as "CSV UTF-8"',
    })
  const named = /^\uFEFF?"?sep=([,;\t])"?[^\S\n]*\n/i.exec(head.toString('utf8', 0, 32))
  const delimiter = named?.[1] ?? findDelimiter(head.subarray(0, SAMPLE))
  let [records, line] = [0, 1]
  const about = { digest, encoding, delimiter: delimiter === NO_DELIMITER ? '' : delimiter }
  try {
    const parser = parse({
      ...AS_WRITTEN,
      delimiter,
      raw: true,
      on_record: (both: unknown, { lines }) => {
        const { record: cells, raw } = both as { readonly record: string[]; readonly raw: string }
        // Excel's own first line stands before the header.
        const isSkipped = named !== null && line === 1
        if (!isSkipped && cells.some((cell) => cell.trim() !== '')) {
          records += 1
          const quoted = cells.findIndex((cell) => cell.startsWith('"'))
          const isBroken = quoted !== -1 && hasOpenQuote(raw, delimiter)
          take({ cells, line, brokenCell: isBroken ? quoted : undefined })
        }
        line = lines + 1
        return null
      },
    })
    await pipeline(pieces(), parser.resume())
  } catch (error) {
    if (!(error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED')) throw error
    fail({
      line,
      message:
        'a quote opens a cell here and is never closed, so no row after it was read; close it, or write "" for a quote inside a quoted cell',
    })
    return { ...about, records, isWhole: false }
  }
  return { ...about, records, isWhole: true }
}

/** Quotes inside unquoted cells are text, and rows may be shorter or longer than their header: what that means is said later. */
const AS_WRITTEN = {
  bom: true,
  record_delimiter: '\n',
  ltrim: true,
  relax_quotes: true,
  relax_column_count: true,
} as const satisfies Options

/** A quote that was never closed swallows rows up to the next one, which it then seems to close. */
function hasOpenQuote(raw: string, delimiter: string): boolean {
  try {
    parseSync(raw, { ...AS_WRITTEN, relax_quotes: false, delimiter })
    return false
  } catch (error) {
    return error instanceof CsvError && error.code === 'CSV_INVALID_CLOSING_QUOTE'
  }
}

/** Cells of a one-column file end at the line's end only: no text holds this control character by chance. */
const NO_DELIMITER = '\u001f'
/** In the order of preference where nothing else decides. */
const CANDIDATES = [',', ';', '\t'] as const
/** Bytes in which the delimiter is found out: more than twenty records, but for very long ones. */
const SAMPLE = 2 ** 17
const SAMPLE_RECORDS = 20

/** Known names decide first: a header says what it means. Then even rows, then the number of cells. */
function findDelimiter(sample: Buffer): string {
  const trials = CANDIDATES.map((delimiter) => tryDelimiter(sample, delimiter))
  const best = trials.reduce((winner, trial) =>
    (trial.known - winner.known || trial.even * trial.cells - winner.even * winner.cells) > 0
      ? trial
      : winner,
  )
  return best.cells > 1 ? best.delimiter : NO_DELIMITER
}

function tryDelimiter(sample: Buffer, delimiter: string) {
  const records: string[][] = []
  try {
    const options = { ...AS_WRITTEN, delimiter, to: SAMPLE_RECORDS + 1, skip_empty_lines: true }
    parseSync(sample, { ...options, on_record: (cells: string[]) => void records.push(cells) })
  } catch {
    // Quotes may make no sense under the wrong delimiter, and the sample may end within a cell.
  }
  const [header = [], ...rows] = records
  const columns = header.flatMap((cell) => findColumn(cell) ?? [])
  return {
    delimiter,
    /** Columns of the header that are known by name; the question's own counts for more than all others. */
    known: columns.length + (columns.some(({ name }) => name === 'message') ? 100 : 0),
    cells: header.length,
    even: rows.filter((row) => row.length === header.length).length / Math.max(1, rows.length),
  }
}
