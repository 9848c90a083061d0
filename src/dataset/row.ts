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

const DEFAULT_SIMILARITY = 0.5

/** A cell that is wrong is reported, and read as empty; a wrong turn is NaN, so that its thread is not judged by it. */
export function readRow(
  { own, tags, carried }: Layout,
  { cells, line }: CsvRecord,
  fail: (remark: Remark) => void,
): Row {
  const text = (column: ColumnName): string => {
    const index = own[column]
    return index === undefined ? '' : (cells[index] ?? '').trim()
  }
  const read: ReadCell = (column) => {
    if (text(column) === '') return undefined
    const parsed = CELLS[column].safeParse(text(column))
    const message = parsed.error?.issues[0]?.message
    if (message !== undefined) fail({ line, column, message })
    return parsed.data as z.output<(typeof CELLS)[typeof column]> | undefined
  }
  const message = text('message')
  if (message === '')
    fail({
      line,
      column: 'message',
      message: 'the row has other cells, but no message; write the question, or empty the whole row',
    })
  return {
    line,
    id: text('id'),
    thread: text('thread'),
    turn: read('turn') ?? (text('turn') === '' ? undefined : Number.NaN),
    message,
    tags: readTags(tags.map((index) => cells[index] ?? '')),
    endUserRef: read('end_user_ref'),
    expect: readExpectations(read, text('expect_answer')),
    mustPass: read('must_pass') ?? false,
    review: text('review'),
    note: text('note'),
    cells: carried.length === 0 ? NO_CELLS : cells,
  }
}

const NO_CELLS: readonly string[] = []

/** `;`-separated, of one or several cells; each tag once, in the order of the cells. */
function readTags(cells: readonly string[]): string[] {
  const tags = cells.flatMap((text) => text.split(';')).map((tag) => tag.trim())
  return [...new Set(tags.filter((tag) => tag !== ''))]
}

/** Undefined where nothing is expected. */
function readExpectations(read: ReadCell, answer: string): Expectations | undefined {
  const minSimilarity = read('min_similarity') ?? DEFAULT_SIMILARITY
  const found = Object.entries({
    source: read('expect_source'),
    contains: read('expect_contains'),
    notContains: read('expect_not_contains'),
    regex: read('expect_regex'),
    answer: answer === '' ? undefined : { text: answer, minSimilarity },
    maxLatencyMs: read('max_latency_ms'),
  } satisfies { readonly [Name in keyof Expectations]-?: Expectations[Name] | undefined }).filter(
    ([, value]) => value !== undefined,
  )
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

const EMAIL = /[^\s@<>"(),;:]+@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+/u
/** A plus that no word leads up to, and six digits or more with what people put between them. */
const PHONE = /(?<![\p{L}\p{N}])\+[\s(]*\d(?:[\s().\-/]*\d){5,}/u
const DECIMAL = /^(\d+([.,]\d*)?|[.,]\d+)$/
/** Could be thousands as well as a fraction. */
const AMBIGUOUS = /^[1-9]\d{0,2}([.,]\d{3})+$/

/** With a decimal point or, as many spreadsheets write it, a comma. */
const decimalOf = (text: string): number => Number(text.replace(',', '.'))

/** `name "cell" what is wrong with it`. */
const wrong = (name: string, what: string) => ({
  error: ({ input }: { readonly input?: unknown }) => `${name} ${excerpt(String(input))} ${what}`,
})

const personal = (what: string): string =>
  `end_user_ref holds ${what}, and no personal data may be sent there; write an opaque reference, such as user-17, or empty the cell`

/** Separated by bars; `\|` and `\\` stand for the sign itself, a backslash before anything else too. */
const phrases = (name: string) =>
  z
    .string()
    .regex(
      /[^|\s]/,
      wrong(name, String.raw`holds only bars; write words between them, or \| for a bar itself`),
    )
    .transform((text) =>
      (text.match(/(?:\\[|\\]|[^|])+/g) ?? [])
        .map((phrase) => phrase.trim().replaceAll(/\\([|\\])/g, '$1'))
        .filter((phrase) => phrase !== ''),
    )

/** The cells that hold more than text, by column. */
const CELLS = {
  /** `3.0` is a whole number, too, as tables with gaps are often exported so. */
  turn: z
    .string()
    .regex(
      /^\d{1,9}([.,]0+)?$/,
      wrong('turn', 'is no whole number from 0 on; write the place in the thread, such as 1, 2, 3'),
    )
    .transform((text) => Number.parseInt(text, 10)),
  /** Opaque, since the contract wants no personal data there. No message repeats the cell: a fault ends up in logs that others read. */
  end_user_ref: z
    .string()
    .refine((text) => !EMAIL.test(text.normalize('NFKC')), personal('an e-mail address'))
    .refine((text) => !PHONE.test(text.normalize('NFKC')), personal('a phone number')),
  must_pass: z
    .string()
    .regex(
      /^(?:true|yes|1|x|false|no|0)$/i,
      wrong('must_pass', 'is neither yes nor no; write true or false, yes or no, 1 or 0, or x'),
    )
    .transform((text) => /^(?:true|yes|1|x)$/i.test(text)),
  expect_source: z
    .string()
    .regex(
      /^!?\s*[^!\s]/,
      'expect_source names no source after the "!"; write the one that must not be, such as !NONE',
    )
    .transform((text) => ({ not: text.startsWith('!'), value: text.replace(/^!\s*/, '') })),
  expect_contains: phrases('expect_contains'),
  expect_not_contains: phrases('expect_not_contains'),
  expect_regex: z.string().refine((text) => regexFault(text) === undefined, {
    error: ({ input }) =>
      `expect_regex ${excerpt(String(input))} is no regular expression (${regexFault(String(input))}); mend it, or put a backslash before a sign that stands for itself`,
  }),
  min_similarity: z
    .string()
    .refine(
      (text) => DECIMAL.test(text) && decimalOf(text) <= 1,
      wrong('min_similarity', 'is no number from 0 to 1; write one such as 0.7'),
    )
    .transform(decimalOf),
  max_latency_ms: z
    .string()
    .refine(
      (text) => DECIMAL.test(text) && !AMBIGUOUS.test(text) && decimalOf(text) > 0,
      wrong(
        'max_latency_ms',
        'is no number of milliseconds over 0; write one such as 3000 for three seconds',
      ),
    )
    .transform(decimalOf),
}
type ReadCell = <Name extends keyof typeof CELLS>(column: Name) => z.output<(typeof CELLS)[Name]> | undefined

function regexFault(text: string): string | undefined {
  try {
    RegExp(text, 'iu')
    return undefined
  } catch (error) {
    // The engine repeats the whole expression before the reason.
    return error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error)
  }
}
