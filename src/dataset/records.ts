// Text in chunks to records with their lines: the one place that drives csv-parse.
import { CsvError, Parser, type Info } from 'csv-parse'
import { countLineEnds } from './plain-text.ts'
import { createRecordScanner, type RecordScanner } from './record-text.ts'

/** A record over this many bytes ends the reading: a quote that is never closed must not fill the memory. */
const LARGEST_RECORD_BYTES = 4 * 1024 * 1024

/**
 * Beside answers: two of a comparison, of 8 MiB each as they came, which are three times that where no byte of them was
 * UTF-8; and a record of the set.
 */
const LARGEST_RECORD_OF_ANSWERS_BYTES = 64 * 1024 * 1024

export interface CsvRecord {
  readonly cells: readonly string[]
  /** Physical line, from 1, on which the record begins. */
  readonly line: number
  /** The cell, from 0, whose closing quote is followed by more text: its cells are not to be trusted. */
  readonly brokenCell?: number
}

/** How the text ended; `line` is where the quote of the last cell was opened, `most` the bytes that a record may have. */
export type Ending =
  | { readonly kind: 'whole' }
  | { readonly kind: 'unclosed'; readonly line: number }
  | { readonly kind: 'oversized'; readonly line: number; readonly most: number }

/**
 * Hands every record to `take`, empty lines included, as the text comes; no record is kept. The text has LF
 * line ends only, so the parser's count of lines is the file's. `mayBeLong`: asked after each record, as only its
 * header says of a table whether answers stand in it.
 */
export async function readRecords(
  texts: AsyncIterable<string>,
  delimiter: string,
  take: (record: CsvRecord) => void,
  mayBeLong: () => boolean = () => false,
): Promise<Ending> {
  const reader = new RecordReader(createRecordScanner(delimiter), take, mayBeLong)
  const parser = new RecordParser(delimiter, reader)
  // Errors arrive through the callbacks of write and end; without a listener they would also be thrown.
  parser.on('error', () => undefined)
  try {
    for await (const text of texts) {
      const bytes = Buffer.from(text)
      reader.feed(bytes)
      await settle((done) => parser.write(bytes, done))
    }
    await settle((done) => parser.end(done))
    return { kind: 'whole' }
  } catch (error) {
    return reader.describeEnding(error, parser.options.max_record_size)
  }
}

/** Hands its records on as they are parsed, while its counts of lines and bytes are theirs, and queues none. */
class RecordParser extends Parser {
  readonly #reader: RecordReader

  constructor(delimiter: string, reader: RecordReader) {
    super({
      delimiter,
      record_delimiter: '\n',
      ltrim: true,
      // Quotes inside unquoted cells are text; what is wrong with other quotes the reader finds.
      relax_quotes: true,
      relax_column_count: true,
      max_record_size: LARGEST_RECORD_BYTES,
    })
    this.#reader = reader
  }

  override push(record: readonly string[] | null): boolean {
    if (record === null) return super.push(null)
    this.#reader.take(record, this.info)
    // The parser looks at it anew with each piece of the text.
    this.options.max_record_size = this.#reader.largestRecord()
    return true
  }
}

/** Keeps the bytes of the record at hand: what the parser takes leniently is looked at again in its text. */
class RecordReader {
  readonly #scan: RecordScanner
  readonly #take: (record: CsvRecord) => void
  readonly #mayBeLong: () => boolean
  #line = 1
  /** Offsets in the whole text: of the first piece's first byte, and of the record at hand. */
  #start = 0
  #recordStart = 0
  /** As they came: joined with each that comes, a long record would be copied over and over. */
  #pieces: Buffer[] = []

  constructor(scan: RecordScanner, take: (record: CsvRecord) => void, mayBeLong: () => boolean) {
    this.#scan = scan
    this.#take = take
    this.#mayBeLong = mayBeLong
  }

  largestRecord(): number {
    return this.#mayBeLong() ? LARGEST_RECORD_OF_ANSWERS_BYTES : LARGEST_RECORD_BYTES
  }

  feed(bytes: Buffer): void {
    this.#forget()
    this.#pieces.push(bytes)
  }

  take(cells: readonly string[], info: Info): void {
    const line = this.#line
    const start = this.#recordStart
    this.#line = info.lines + 1
    this.#recordStart = info.bytes
    // A quote that is wrongly closed stays in its cell, so a record without quotes in its cells is sound.
    if (cells.some((cell) => cell.includes('"')))
      this.#takeStrictly(cells, this.#textOf(start, info.bytes), line)
    else this.#take({ cells, line })
  }

  #takeStrictly(cells: readonly string[], text: string, line: number): void {
    const strict = this.#scan(text, 0)
    // What is cut out of the record's text keeps all of it in memory, a long answer beside a short question.
    const own = strict.cells.map((cell, place) => {
      const parsed = cells[place]
      return parsed === cell ? parsed : cell
    })
    if (strict.broken === undefined) this.#take({ cells: own, line })
    else this.#take({ cells, line, brokenCell: strict.broken.cell })
  }

  /** What lies before the record at hand. */
  #forget(): void {
    for (let [first] = this.#pieces; first !== undefined; [first] = this.#pieces) {
      if (this.#start + first.length > this.#recordStart) return
      this.#start += first.length
      this.#pieces.shift()
    }
  }

  #textOf(start: number, end?: number): string {
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces)]
    const [whole = Buffer.alloc(0)] = this.#pieces
    return whole.toString('utf8', start - this.#start, end === undefined ? whole.length : end - this.#start)
  }

  describeEnding(error: unknown, most: number): Ending {
    const code = error instanceof CsvError ? error.code : undefined
    if (code !== 'CSV_QUOTE_NOT_CLOSED' && code !== 'CSV_MAX_RECORD_SIZE') throw error
    const text = this.#textOf(this.#recordStart)
    const opened = this.#scan(text, 0).broken?.at ?? 0
    const line = this.#line + countLineEnds(text.slice(0, opened))
    return code === 'CSV_QUOTE_NOT_CLOSED' ? { kind: 'unclosed', line } : { kind: 'oversized', line, most }
  }
}

async function settle(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error === null || error === undefined ? resolve() : reject(error)))
  })
}
