// Reads a row: its cells under our own columns, checked by one schema.
import * as z from 'zod'
import type { Expectations, Question } from '../domain/question.ts'
import type { ColumnName } from './columns.ts'
import { excerpt, type Remarks } from './remarks.ts'

/** A row under our own columns. */
export interface WrittenRow {
  readonly line: number
  /** Trimmed; a column without text is missing. */
  readonly fields: Readonly<Partial<Record<ColumnName, string>>>
  /** The set's own columns, by their names in the whole set. */
  readonly cells: Readonly<Record<string, string>>
}

/** The content of a question, without its position. */
type Said = Pick<Question, 'message' | 'endUserRef' | 'tags' | 'expect' | 'mustPass' | 'review' | 'note'>

export interface Row {
  readonly line: number
  /** As written in the file; empty where the name has to be found. */
  readonly id: string
  readonly thread: string
  /** As written: from 0 or 1. `undefined`: the order of the rows decides; NaN: the row is at fault. */
  readonly turn: number | undefined
  readonly said: Said
  readonly cells: WrittenRow['cells']
}

/** A faulty row is reported and returned without a turn, so that it causes no further faults. */
export function readRow({ line, fields, cells }: WrittenRow, { fail }: Pick<Remarks, 'fail'>): Row {
  const parsed = rowSchema.safeParse(fields)
  const { id = '', thread = '' } = fields
  if (parsed.success) return { line, id, thread, turn: parsed.data.turn, said: parsed.data.said, cells }
  for (const { path, message } of parsed.error.issues) fail({ line, column: String(path[0]), message })
  return { line, id, thread, turn: NaN, said: { message: '', tags: [], mustPass: false }, cells }
}

const EMAIL = /[^\s@<>"(),;:]+@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+/u
/** A plus that no word leads up to, and six digits or more with what people put between them. */
const PHONE = /(?<![\p{L}\p{N}])\+[\s(]*\d(?:[\s().\-/]*\d){5,}/u
const DECIMAL = /^(\d+([.,]\d*)?|[.,]\d+)$/
/** Could be thousands as well as a fraction. */
const AMBIGUOUS = /^[1-9]\d{0,2}([.,]\d{3})+$/

/** With a decimal point or, as many spreadsheets write it, a comma. */
const parseDecimal = (text: string): number => Number(text.replace(',', '.'))

/** `name "cell" what is wrong with it`. */
const wrong = (name: string, what: string) => ({
  error: ({ input }: { readonly input?: unknown }) => `${name} ${excerpt(String(input))} ${what}`,
})

/** Opaque, since the contract wants no personal data there. No message repeats the cell: a fault ends up in logs that others read. */
const personal = (what: string) => ({
  error: `end_user_ref contains ${what}, and personal data must not be sent; write an opaque reference such as user-17, or clear the cell`,
  abort: true,
})

/** Separated by bars; `\|` and `\\` stand for the sign itself, a backslash before anything else too. */
const phrases = (name: string) =>
  z
    .string()
    .regex(
      /[^|\s]/,
      wrong(name, String.raw`contains only bars; write texts between them, or \| for a bar itself`),
    )
    .transform((text) =>
      (text.match(/(?:\\[|\\]|[^|])+/g) ?? [])
        .map((phrase) => phrase.trim().replaceAll(/\\([|\\])/g, '$1'))
        .filter((phrase) => phrase !== ''),
    )
    .optional()

function regexFault(text: string): string | undefined {
  try {
    RegExp(text, 'iu')
    return undefined
  } catch (error) {
    // The engine repeats the whole expression before the reason.
    return error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error)
  }
}

const DEFAULT_SIMILARITY = 0.5

const rowSchema = z
  .object({
    message: z.string({
      error: 'the row has no message; write the question, or clear the whole row',
    }),
    /** `3.0` is a whole number, too, as tables with gaps are often exported so. */
    turn: z
      .string()
      .regex(
        /^\d{1,9}([.,]0+)?$/,
        wrong('turn', 'is not a whole number; write the position in the thread, such as 1, 2, 3'),
      )
      .transform((text) => Number.parseInt(text, 10))
      .optional(),
    end_user_ref: z
      .string()
      .refine((text) => !EMAIL.test(text.normalize('NFKC')), personal('an e-mail address'))
      .refine((text) => !PHONE.test(text.normalize('NFKC')), personal('a phone number'))
      .optional(),
    tags: z.string().optional(),
    review: z.string().optional(),
    note: z.string().optional(),
    expect_source: z
      .string()
      .regex(
        /^!?\s*[^!\s]/,
        'expect_source has no value after "!"; write the source that the answer must not have, such as !NONE',
      )
      .transform((text) => ({ not: text.startsWith('!'), value: text.replace(/^!\s*/, '') }))
      .optional(),
    expect_contains: phrases('expect_contains'),
    expect_not_contains: phrases('expect_not_contains'),
    expect_regex: z
      .string()
      .refine((text) => regexFault(text) === undefined, {
        error: ({ input }) =>
          `expect_regex ${excerpt(String(input))} is not a regular expression (${regexFault(String(input))}); fix it, or escape special characters with a backslash`,
      })
      .optional(),
    expect_answer: z.string().optional(),
    min_similarity: z
      .string()
      .refine(
        (text) => DECIMAL.test(text) && parseDecimal(text) <= 1,
        wrong('min_similarity', 'must be a number from 0 to 1, such as 0.7'),
      )
      .transform(parseDecimal)
      .optional(),
    max_latency_ms: z
      .string()
      .refine(
        (text) => DECIMAL.test(text) && !AMBIGUOUS.test(text) && parseDecimal(text) > 0,
        wrong('max_latency_ms', 'must be a number of milliseconds above 0, such as 3000'),
      )
      .transform(parseDecimal)
      .optional(),
    must_pass: z
      .string()
      .regex(
        /^(?:true|yes|1|x|false|no|0)$/i,
        wrong('must_pass', 'must be yes or no; true, false, 1, 0 and x also work'),
      )
      .transform((text) => /^(?:true|yes|1|x)$/i.test(text))
      .optional(),
  })
  .transform((row) => {
    const { message, turn, end_user_ref: endUserRef, must_pass: mustPass = false, review, note } = row
    const { expect_answer: text, min_similarity: minSimilarity = DEFAULT_SIMILARITY } = row
    const expect: Expectations = {
      ...(row.expect_source && { source: row.expect_source }),
      ...(row.expect_contains && { contains: row.expect_contains }),
      ...(row.expect_not_contains && { notContains: row.expect_not_contains }),
      ...(row.expect_regex !== undefined && { regex: row.expect_regex }),
      ...(text !== undefined && { answer: { text, minSimilarity } }),
      ...(row.max_latency_ms !== undefined && { maxLatencyMs: row.max_latency_ms }),
    }
    const said = {
      message,
      ...(endUserRef !== undefined && { endUserRef }),
      tags: readTags(row.tags),
      ...(Object.keys(expect).length > 0 && { expect }),
      mustPass,
      ...(review !== undefined && { review }),
      ...(note !== undefined && { note }),
    }
    return { turn, said }
  })

/** `;`-separated; each tag once. */
function readTags(text = ''): string[] {
  const tags = text.split(';').map((tag) => tag.trim())
  return [...new Set(tags.filter((tag) => tag !== ''))]
}
