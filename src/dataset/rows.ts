// The records of one file: the first is the header, the others are rows, or become some where they are another tool's.
import { readRow, type Row } from './row.ts'
import type { CsvRecord } from './csv.ts'
import { chooseImporter, type FormatChoice } from './formats.ts'
import { createGate } from './gate.ts'
import { Account, type ImportReading } from './importers/importer.ts'
import {
  createImportedLayout,
  findHeaderWarnings,
  findMisspeltColumns,
  readNativeLayout,
  readResultsLayout,
  undoDefusing,
  type Layout,
} from './layout.ts'
import type { FileRemarks, HeaderFault } from './remarks.ts'

export interface FileRows {
  readonly layout: Layout
  /** In the order of the file; those that could not be read are missing. */
  readonly rows: readonly Row[]
  /** A missing turn is no fault: a row was lost for another one, or the file holds results. */
  readonly mayHaveGaps: boolean
}

export interface RowsReader {
  /** The records of the file in their order, the header first. */
  readonly take: (record: CsvRecord) => void
  /** `isWhole`: the file was read to its end. Undefined, and reported, where no row could be read. */
  readonly end: (isWhole: boolean) => FileRows | undefined
}

export function createRowsReader(choice: FormatChoice, remarks: FileRemarks): RowsReader {
  let header: CsvRecord | undefined
  let body: Body | undefined
  return {
    take: (record) => {
      if (header !== undefined) body?.take(record)
      else body = openBody((header = record), choice, remarks)
    },
    end: (isWhole) => {
      if (header === undefined && isWhole)
        remarks.fail({ message: 'the file holds only empty rows; it needs a header row and a question' })
      return body?.end(isWhole)
    },
  }
}

interface Body {
  readonly take: (record: CsvRecord) => void
  readonly end: (isWhole: boolean) => FileRows
}

/** Undefined, and reported, where the header is at fault. */
function openBody(header: CsvRecord, choice: FormatChoice, remarks: FileRemarks): Body | undefined {
  const { fail, warn } = remarks
  const { line } = header
  const reading = readHeader(header, choice)
  if (reading.kind === 'faulty') {
    for (const fault of reading.faults) fail({ line, ...fault })
    return undefined
  }
  const { layout, importing } = reading
  for (const fault of findMisspeltColumns(layout)) fail({ line, ...fault })
  for (const message of findHeaderWarnings(layout)) warn({ line, message })
  const reader = new RowReader(layout, remarks)
  const admits = createGate(header.cells, remarks, (place) => layout.results?.dropped.has(place) ?? false)
  const importer = importing && startImport(importing, reader, remarks)
  let [records, admitted] = [0, 0]
  return {
    take: (record) => {
      records += 1
      if (!admits(record)) return
      admitted += 1
      if (importer === undefined) reader.take(record)
      else importer.take(record)
    },
    end: (isWhole) => {
      if (isWhole && records === 0) fail({ line, message: 'a header, but no question; add a row under it' })
      importer?.end(isWhole && records > 0)
      const isLossless = isWhole && admitted === records
      return { layout, rows: reader.rows, mayHaveGaps: !isLossless || layout.results !== undefined }
    },
  }
}

type HeaderReading =
  | { readonly kind: 'faulty'; readonly faults: readonly HeaderFault[] }
  | {
      readonly kind: 'layout'
      readonly layout: Layout
      readonly importing?: Extract<ImportReading, { kind: 'import' }>
    }

/** The ways to read a header, in the order they are tried: results, other tools' formats, the harness's own form. */
function readHeader({ cells, brokenCell }: CsvRecord, { format }: FormatChoice): HeaderReading {
  if (brokenCell !== undefined) {
    const message = `header ${brokenCell + 1} goes on after its closing quote; write "" for a quote inside a quoted cell`
    return { kind: 'faulty', faults: [{ message }] }
  }
  const results = format === undefined ? readResultsLayout(cells) : undefined
  if (results !== undefined) return results
  const importer = chooseImporter(cells, format)
  if (importer === undefined) return readNativeLayout(cells)
  const importing = importer.read(cells)
  if (importing.kind === 'faulty') return importing
  return { kind: 'layout', layout: createImportedLayout(importing.columns), importing }
}

interface Import {
  readonly take: (record: CsvRecord) => void
  /** `hasRows`: there were some, and none is missing for a fault that was reported. */
  readonly end: (hasRows: boolean) => void
}

function startImport(
  { title, start }: Extract<ImportReading, { kind: 'import' }>,
  reader: RowReader,
  { fail, warn }: FileRemarks,
): Import {
  const account = new Account()
  const translator = start({
    emit: (record) => {
      account.addQuestion()
      reader.take(record)
    },
    fail,
    account,
  })
  return {
    take: (record) => translator.take(record),
    end: (hasRows) => {
      translator.end()
      if (!hasRows) return
      for (const line of account.lines(title)) warn(line)
      if (account.isEmpty)
        fail({ message: `read as ${title}, no row of the file is a question; is that what it is?` })
    },
  }
}

/** Reads records by a layout; repeats of results fold into one question. */
class RowReader {
  readonly rows: Row[] = []
  readonly #layout: Layout
  readonly #remarks: FileRemarks
  readonly #firsts = new Map<string, { readonly repeat: string; readonly row: Row }>()
  readonly #refs = new Map<string, string | undefined>()
  #isThreadTold = false

  constructor(layout: Layout, remarks: FileRemarks) {
    this.#layout = layout
    this.#remarks = remarks
  }

  take(record: CsvRecord): void {
    const { results } = this.#layout
    const cells = results === undefined ? record.cells : record.cells.map(undoDefusing)
    const row = readRow(this.#layout, { ...record, cells }, this.#remarks.fail)
    if (results === undefined || !this.#isRepeat(row, cells[results.repeat] ?? '')) {
      this.#checkTurn(row)
      this.#checkRef(row)
      this.rows.push(row)
    }
  }

  /** Rows of one id, thread and turn are repeats if their numbers differ; else the id stands twice. */
  #isRepeat(row: Row, repeat: string): boolean {
    if (row.id === '') return false
    const key = JSON.stringify([row.id, row.thread, row.turn])
    const first = this.#firsts.get(key)
    if (first === undefined) this.#firsts.set(key, { repeat, row })
    if (first === undefined || first.repeat === repeat) return false
    if (this.#contentOf(first.row) !== this.#contentOf(row))
      this.#remarks.fail({
        line: row.line,
        column: 'message',
        message: `a repeat of the question in line ${first.row.line}, but with another message, tags or columns; make them alike, or delete one of the rows`,
      })
    return true
  }

  /** What is asked and expected: all of a row that is no result. */
  #contentOf({ message, tags, cells }: Row): string {
    return JSON.stringify([
      message,
      tags,
      this.#layout.carried.map(({ index }) => cells[index]?.trim() ?? ''),
    ])
  }

  #checkTurn({ thread, turn, line }: Row): void {
    const { own, results } = this.#layout
    if (thread !== '' || turn === undefined || !(turn > 1) || results !== undefined) return
    if (own.thread !== undefined)
      this.#remarks.fail({
        line,
        column: 'turn',
        message: `turn ${turn} in a row without a thread, which would be a conversation of its own; name its thread, or empty the turn`,
      })
    else if (!this.#isThreadTold) {
      this.#isThreadTold = true
      this.#remarks.fail({
        line,
        column: 'thread',
        message: `turn ${turn}, but no column names the thread; add the column "thread" (or conversation), or delete the turns`,
      })
    }
  }

  #checkRef({ thread, endUserRef, line }: Row): void {
    if (thread === '' || this.#layout.own.end_user_ref === undefined) return
    if (!this.#refs.has(thread)) this.#refs.set(thread, endUserRef)
    if (this.#refs.get(thread) !== endUserRef)
      this.#remarks.warn({
        line,
        column: 'end_user_ref',
        message:
          'end_user_ref is not that of the row the thread begins with; one conversation is meant for one end user',
      })
  }
}
