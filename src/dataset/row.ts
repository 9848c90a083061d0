// A record to a row: its cells read by the layout, each checked by itself.
import * as z from 'zod'
import type { Expectations } from '../domain/question.ts'
import type { ColumnName } from './columns.ts'
import type { CsvRecord } from './csv.ts'
import { excerpt } from './excerpt.ts'
import type { Layout } from './layout.ts'
import type { Remark } from './remarks.ts'

export interface Row {
  readonly line: number
  /** As written in the file; empty where the name has to be found. */
  readonly id: string
  readonly thread: string
  /** As written: from 0 or 1. `undefined`: the order of the rows decides; NaN: it could not be read. */
  readonly turn: number | undefined
  readonly message: string
  readonly tags: readonly string[]
  readonly endUserRef: string | undefined
  readonly expect: Expectations | undefined
  readonly mustPass: boolean
  readonly review: string
  readonly note: string
  /** The record's cells, for those that are carried along. */
  readonly cells: readonly string[]
}

/** A cell that is wrong is reported, and read as empty; a wrong turn is NaN, so that its thread is not judged by it. */
export function readRow(layout: Layout, { cells, line }: CsvRecord, fail: (remark: Remark) => void): Row {
  const text = (column: ColumnName): string => cellOf(layout, cells, column)
  const read: ReadCell = (column) => {
    const parsed = CELLS[column].safeParse(text(column))
    if (!parsed.success) for (const { message } of parsed.error.issues) fail({ line, column, message })
    return parsed.data as z.output<(typeof CELLS)[typeof column]> | undefined
  }
  const message = read('message') ?? ''
  const turn = read('turn') ?? (text('turn') === '' ? undefined : Number.NaN)
  return {
    line,
    id: text('id'),
    thread: text('thread'),
    review: text('review'),
    note: text('note'),
    message,
    turn,
    tags: readTags(layout.tags.map((index) => cells[index] ?? '')),
    endUserRef: read('end_user_ref'),
    expect: readExpectations(read, text('expect_answer')),
    mustPass: read('must_pass') ?? false,
    cells: layout.carried.length === 0 ? NO_CELLS : cells,
  }
}

const NO_CELLS: readonly string[] = []

/** Without its outer white space; empty where there is no such column. */
function cellOf({ own }: Layout, cells: readonly string[], column: ColumnName): string {
  const index = own[column]
  return index === undefined ? '' : (cells[index] ?? '').trim()
}

class Wrong {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** Undefined where the cell is empty. */
function cell<Value>(read: (text: string) => Value | Wrong) {
  return z.string().transform((text, context): Value | undefined => {
    const value = text === '' ? undefined : read(text)
    if (!(value instanceof Wrong)) return value
    context.issues.push({ code: 'custom', message: value.message, input: text })
    return z.NEVER
  })
}

/** The cells that hold more than text, by column. */
const CELLS = {
  message: z
    .string()
    .min(1, 'the row has other cells, but no message; write the question, or empty the whole row'),
  turn: cell(readTurn),
  end_user_ref: cell(readEndUserRef),
  expect_source: cell(readSource),
  expect_contains: cell((text) => readPhrases('expect_contains', text)),
  expect_not_contains: cell((text) => readPhrases('expect_not_contains', text)),
  expect_regex: cell(readRegex),
  min_similarity: cell(readSimilarity),
  max_latency_ms: cell(readMilliseconds),
  must_pass: cell(readMustPass),
}
type ReadCell = <Name extends keyof typeof CELLS>(column: Name) => z.output<(typeof CELLS)[Name]> | undefined

const DEFAULT_SIMILARITY = 0.5

/** Undefined where nothing is expected. */
function readExpectations(read: ReadCell, answer: string): Expectations | undefined {
  const source = read('expect_source')
  const contains = read('expect_contains')
  const notContains = read('expect_not_contains')
  const regex = read('expect_regex')
  const minSimilarity = read('min_similarity') ?? DEFAULT_SIMILARITY
  const maxLatencyMs = read('max_latency_ms')
  const expectations: Expectations = {
    ...(source !== undefined && { source }),
    ...(contains !== undefined && { contains }),
    ...(notContains !== undefined && { notContains }),
    ...(regex !== undefined && { regex }),
    ...(answer !== '' && { answer: { text: answer, minSimilarity } }),
    ...(maxLatencyMs !== undefined && { maxLatencyMs }),
  }
  return Object.keys(expectations).length === 0 ? undefined : expectations
}

/** `;`-separated, of one or several cells; each tag once, in the order of the cells. */
function readTags(cells: readonly string[]): string[] {
  const tags = cells.flatMap((text) => text.split(';')).map((tag) => tag.trim())
  return [...new Set(tags.filter((tag) => tag !== ''))]
}

/** A whole number; `3.0` is one, as tables with gaps are often exported so. */
function readTurn(text: string): number | Wrong {
  return /^\d{1,9}([.,]0+)?$/.test(text)
    ? Number.parseInt(text, 10)
    : new Wrong(
        `turn ${excerpt(text)} is no whole number from 0 on; write the place in the thread, such as 1, 2, 3`,
      )
}

const EMAIL = /[^\s@<>"(),;:]+@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+/u
/** A plus that no word leads up to, and six digits or more with what people put between them. */
const PHONE = /(?<![\p{L}\p{N}])\+[\s(]*\d(?:[\s().\-/]*\d){5,}/u

/** Opaque, since the contract wants no personal data there. No message repeats the cell: a fault ends up in logs that others read. */
function readEndUserRef(text: string): string | Wrong {
  const plain = text.normalize('NFKC')
  const what = EMAIL.test(plain) ? 'an e-mail address' : PHONE.test(plain) ? 'a phone number' : undefined
  return what === undefined
    ? text
    : new Wrong(
        `end_user_ref holds ${what}, and no personal data may be sent there; write an opaque reference, such as user-17, or empty the cell`,
      )
}

function readMustPass(text: string): boolean | Wrong {
  if (/^(?:true|yes|1|x)$/i.test(text)) return true
  if (/^(?:false|no|0)$/i.test(text)) return false
  return new Wrong(
    `must_pass ${excerpt(text)} is neither yes nor no; write true or false, yes or no, 1 or 0, or x`,
  )
}

function readSource(text: string): { not: boolean; value: string } | Wrong {
  const not = text.startsWith('!')
  const value = not ? text.slice(1).trim() : text
  return value === ''
    ? new Wrong('expect_source names no source after the "!"; write the one that must not be, such as !NONE')
    : { not, value }
}

/** Separated by bars; `\|` and `\\` stand for the sign itself, a backslash before anything else too. */
function readPhrases(column: string, text: string): string[] | Wrong {
  const phrases = (text.match(/(?:\\[|\\]|[^|])+/g) ?? [])
    .map((phrase) => phrase.trim().replaceAll(/\\([|\\])/g, '$1'))
    .filter((phrase) => phrase !== '')
  return phrases.length === 0
    ? new Wrong(
        `${column} ${excerpt(text)} holds only bars; write words between them, or \\| for a bar itself`,
      )
    : phrases
}

function readRegex(text: string): string | Wrong {
  try {
    RegExp(text, 'iu')
    return text
  } catch (error) {
    // The engine repeats the whole expression before the reason.
    const reason = error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error)
    return new Wrong(
      `expect_regex ${excerpt(text)} is no regular expression (${reason}); mend it, or put a backslash before a sign that stands for itself`,
    )
  }
}

/** From 0 to 1, with a decimal point or, as many spreadsheets write it, a comma. */
function readSimilarity(text: string): number | Wrong {
  const number = readDecimal(text)
  return number === undefined || number > 1
    ? new Wrong(`min_similarity ${excerpt(text)} is no number from 0 to 1; write one such as 0.7`)
    : number
}

/** Over 0, and without a separator of thousands, which could as well be a decimal sign. */
function readMilliseconds(text: string): number | Wrong {
  if (/^[1-9]\d{0,2}([.,]\d{3})+$/.test(text))
    return new Wrong(
      `max_latency_ms ${excerpt(text)} can be read in two ways; write it without a separator, such as 1500`,
    )
  const number = readDecimal(text)
  return number === undefined || number === 0
    ? new Wrong(
        `max_latency_ms ${excerpt(text)} is no number of milliseconds over 0; write one such as 3000 for three seconds`,
      )
    : number
}

function readDecimal(text: string): number | undefined {
  if (!/^(\d+([.,]\d*)?|[.,]\d+)$/.test(text)) return undefined
  const number = Number(text.replace(',', '.'))
  return Number.isFinite(number) ? number : undefined
}
