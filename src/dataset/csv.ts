// Text to records with their lines: the separator found out, then csv-parse, with quotes checked strictly.
import { CsvError, parse } from 'csv-parse'
import { pipeline } from 'node:stream/promises'
import { findColumn } from './columns.ts'
import { createRecordScanner } from './record-scanner.ts'
import type { FileRemarks } from './remarks.ts'
import { openText } from './text.ts'

export interface CsvRecord {
  readonly cells: readonly string[]
  /** Physical line, from 1, on which the record begins. */
  readonly line: number
  /** The cell, from 0, whose closing quote is followed by more text: its cells are not to be trusted. */
  readonly brokenCell?: number
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
  const reading = await openText(path)
  if (reading.kind === 'refused') {
    fail(
      reading.line === undefined
        ? { message: reading.message }
        : { line: reading.line, message: reading.message },
    )
    return undefined
  }
  const { digest, encoding, pieces, notUtf8Line } = reading.file
  if (notUtf8Line !== undefined)
    warn({
      line: notUtf8Line,
      message:
        'not UTF-8, so the file is read as Windows-1252; if letters look wrong, save it as "CSV UTF-8"',
    })
  const { delimiter, isNamed, isDoubtful } = findDelimiter(await beginningOf(pieces()))
  if (isDoubtful)
    warn({
      message:
        'the header names one column, so each line is one cell, with what looks like separators in it; if there are more columns, name them all',
    })
  let records = 0
  const unclosedLine = await parseRecords(pieces(), delimiter, (record) => {
    if ((isNamed && record.line === 1) || record.cells.every((cell) => cell.trim() === '')) return
    records += 1
    take(record)
  })
  if (unclosedLine !== undefined)
    fail({
      line: unclosedLine,
      message:
        'a quote opens a cell here and is never closed, so no row after it was read; close it, or write "" for a quote inside a quoted cell',
    })
  return {
    digest,
    encoding,
    delimiter: delimiter === NO_DELIMITER ? '' : delimiter,
    records,
    isWhole: unclosedLine === undefined,
  }
}

/** Characters in which the delimiter is found out: more than twenty records, but for very long ones. */
const SAMPLE = 2 ** 18

async function beginningOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length >= SAMPLE) break
  }
  return text
}

/** Returns the line of a quote that is never closed. */
async function parseRecords(
  pieces: AsyncIterable<string>,
  delimiter: string,
  take: (record: CsvRecord) => void,
): Promise<number | undefined> {
  const scan = createRecordScanner(delimiter)
  let line = 1
  const parser = parse({
    delimiter,
    record_delimiter: '\n',
    ltrim: true,
    raw: true,
    // Quotes inside unquoted cells are text; what is wrong with other quotes the scanner finds.
    relax_quotes: true,
    relax_column_count: true,
    on_record: (both: unknown, { lines }) => {
      const { record: cells, raw } = both as { readonly record: string[]; readonly raw: string }
      // A quote that is wrongly closed stays in its cell, so a record without quotes in its cells is sound.
      const strict = cells.some((cell) => cell.includes('"')) ? scan(raw, 0) : undefined
      if (strict === undefined) take({ cells, line })
      else if (strict.broken === undefined) take({ cells: strict.cells, line })
      else take({ cells, line, brokenCell: strict.broken.cell })
      line = lines + 1
      return null
    },
  })
  try {
    await pipeline(pieces, parser.resume())
    return undefined
  } catch (error) {
    if (!(error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED')) throw error
    const raw = String((error as { readonly raw?: unknown }).raw)
    return line + raw.slice(0, scan(raw, 0).broken?.at ?? 0).split('\n').length - 1
  }
}

/** Cells of a one-column file end at the line's end only: no text holds this control character by chance. */
const NO_DELIMITER = '\u001f'

/** In the order of preference where nothing else decides. */
const CANDIDATES = [',', ';', '\t'] as const
const SAMPLE_RECORDS = 20

interface DelimiterFinding {
  readonly delimiter: string
  /** Excel's own first line, `sep=;`, stands before the header. */
  readonly isNamed: boolean
  /** The header has one cell, yet every row looks as if it had several. */
  readonly isDoubtful: boolean
}

function findDelimiter(text: string): DelimiterFinding {
  const named = /^"?sep=([,;\t])"?[^\S\n]*\n/i.exec(text)?.[1]
  if (named !== undefined) return { delimiter: named, isNamed: true, isDoubtful: false }
  const trials = CANDIDATES.map((delimiter) => tryDelimiter(text, delimiter))
  const chosen = (delimiter: string): DelimiterFinding => ({ delimiter, isNamed: false, isDoubtful: false })
  const hollow = trials.find(({ isHollow }) => isHollow)
  if (hollow !== undefined) return chosen(hollow.delimiter)
  // Known names decide first: a header says what it means. Then even rows, then the number of cells.
  const best = trials.reduce((winner, trial) =>
    (Number(trial.hasMessage) - Number(winner.hasMessage) ||
      trial.known - winner.known ||
      trial.even * trial.cells - winner.even * winner.cells) > 0
      ? trial
      : winner,
  )
  if (best.cells > 1) return chosen(best.delimiter)
  return { ...chosen(NO_DELIMITER), isDoubtful: trials.some(({ isSplit }) => isSplit) }
}

interface Trial {
  readonly delimiter: string
  /** Columns of the header that are known by name. */
  readonly known: number
  readonly hasMessage: boolean
  /** Share of the sampled rows that have as many cells as the header. */
  readonly even: number
  /** Cells of the header. */
  readonly cells: number
  /** Nothing but separators stands there. */
  readonly isHollow: boolean
  /** Two rows or more, all of one and the same number of cells over one. */
  readonly isSplit: boolean
}

function tryDelimiter(text: string, delimiter: string): Trial {
  const scan = createRecordScanner(delimiter)
  const records: (readonly string[])[] = []
  let isBroken = false
  for (let at = 0; at < text.length && records.length <= SAMPLE_RECORDS && !isBroken;) {
    const { cells, end, broken } = scan(text, at)
    // Quotes may make no sense under the wrong delimiter.
    isBroken = broken !== undefined
    if (!isBroken && cells.some((cell) => cell.trim() !== '')) records.push(cells)
    at = end
  }
  const [header = [], ...rows] = records
  const columns = header.flatMap((cell) => findColumn(cell) ?? [])
  const width = rows[0]?.length ?? 1
  return {
    delimiter,
    known: columns.length,
    hasMessage: columns.some(({ name }) => name === 'message'),
    even: rows.length === 0 ? 1 : rows.filter((row) => row.length === header.length).length / rows.length,
    cells: header.length,
    isHollow: records.length === 0 && !isBroken,
    isSplit: rows.length > 1 && width > 1 && rows.every((row) => row.length === width),
  }
}
