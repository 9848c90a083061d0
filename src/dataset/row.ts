// Validates a row of a question set.
import * as z from 'zod'
import type { Expectations, Question } from '../domain/question.ts'
import type { ColumnName } from './columns.ts'
import { CUT_MARK } from '../domain/text.ts'
import { hasEmail, hasInternationalPhone } from './personal-data.ts'
import { excerpt, type FileMessages } from './messages.ts'

export interface WrittenRow {
  readonly line: number
  /** Trimmed; empty cells are absent. */
  readonly fields: Readonly<Partial<Record<ColumnName, string>>>
  readonly cells: Readonly<Record<string, string>>
}

export interface QuestionRow {
  readonly line: number
  /** This and `thread` stand as in the file, empty if absent. */
  readonly id: string
  readonly thread: string
  /** It counts from 0 or 1. Undefined: the order of the rows decides. NaN: the row is faulty. */
  readonly turn: number | undefined
  /** The question without its position. */
  readonly content: Omit<Question, 'id' | 'file' | 'line' | 'thread' | 'turn' | 'cells'>
  readonly cells: WrittenRow['cells']
}

/** Reports a faulty row and returns it with turn NaN, so that it causes no further faults. */
export function readRow({ line, fields, cells }: WrittenRow, { fail }: FileMessages): QuestionRow {
  const parsed = rowSchema.safeParse(fields)
  const { id = '', thread = '' } = fields
  if (parsed.success) return { line, id, thread, turn: parsed.data.turn, content: parsed.data.content, cells }
  for (const { message } of parsed.error.issues) fail({ line, message })
  return { line, id, thread, turn: NaN, content: { message: '', tags: [], mustPass: false }, cells }
}

/** Spaces, controls and signs that show nothing, such as the Braille blank, are no text. */
const INVISIBLE = /^[\p{DI}\p{Z}\p{Cc}\p{Cf}\u2800]*$/u
const DECIMAL = /^(\d+([.,]\d*)?|[.,]\d+)$/
/** The separator could mark thousands or decimals. */
const AMBIGUOUS = /^[1-9]\d{0,2}([.,]\d{3})+$/

/** Accepts a decimal point or a comma, as many spreadsheets write it. */
const parseDecimal = (text: string): number => Number(text.replace(',', '.'))

const wrong = (name: string, what: string) => ({
  error: ({ input }: { readonly input?: unknown }) => `${name} ${excerpt(String(input))} ${what}`,
})

/** The contract forbids personal data here. Faults end up in logs, so they do not repeat the cell. */
const personalData = (what: string) => ({
  error:
    `end_user_ref contains ${what}, and personal data must not be sent; write an opaque reference ` +
    'such as user-17, or clear the cell',
  abort: true,
})

/** Splits texts at bars. `\|` is a bar, `\\` a backslash; any other backslash is literal. */
export const splitPhrases = (cell: string): string[] =>
  (cell.match(/(?:\\[|\\]|[^|])+/g) ?? [])
    .map((phrase) => phrase.trim().replaceAll(/\\([|\\])/g, '$1'))
    .filter((phrase) => phrase !== '')

const phrases = (name: string) =>
  z
    .string()
    .regex(
      /[^|\s]/,
      wrong(name, String.raw`contains only bars; write texts between them, or \| for a bar itself`),
    )
    .transform(splitPhrases)
    .optional()

function regexFault(text: string): string | undefined {
  try {
    RegExp(text, 'iu')
    return undefined
  } catch (error) {
    // V8 repeats the whole expression before the reason.
    return error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error)
  }
}

const DEFAULT_SIMILARITY = 0.5
/** Further apart, the lightest question would be lost in rounding. */
const [MIN_WEIGHT, MAX_WEIGHT] = [1e-6, 1e9]

const rowSchema = z
  .object({
    message: z
      .string({ error: 'the row has no message; write the question, or clear the whole row' })
      .refine(
        (text) => !INVISIBLE.test(text),
        wrong('message', 'has no visible character; write the question, or clear the whole row'),
      )
      .refine(
        (text) => !text.endsWith(CUT_MARK),
        wrong('message', 'was cut when it was written into the workbook; copy it from the CSV file'),
      ),
    /** Accepts `3.0`: tables with missing values are often exported that way. */
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
      .refine((text) => !hasEmail(text), personalData('an e-mail address'))
      .refine((text) => !hasInternationalPhone(text), personalData('a phone number'))
      .optional(),
    tags: z.string().optional(),
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
          `expect_regex ${excerpt(String(input))} is not a regular expression ` +
          `(${regexFault(String(input))}); fix it, or escape special characters with a backslash`,
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
    weight: z
      .string()
      .refine(
        (text) => {
          const weight = parseDecimal(text)
          const isInRange = weight >= MIN_WEIGHT && weight <= MAX_WEIGHT
          return DECIMAL.test(text) && !AMBIGUOUS.test(text) && isInRange
        },
        wrong(
          'weight',
          'must be a number above 0 and up to 1000000000, without thousands separators, such as 250 or 0.5',
        ),
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
    const { message, turn, end_user_ref: endUserRef, must_pass: mustPass = false, weight } = row
    const { expect_answer: text, min_similarity: minSimilarity = DEFAULT_SIMILARITY } = row
    const expect: Expectations = {
      ...(row.expect_source && { source: row.expect_source }),
      ...(row.expect_contains && { contains: row.expect_contains }),
      ...(row.expect_not_contains && { notContains: row.expect_not_contains }),
      ...(row.expect_regex !== undefined && { regex: row.expect_regex }),
      ...(text !== undefined && { answer: { text, minSimilarity } }),
      ...(row.max_latency_ms !== undefined && { maxLatencyMs: row.max_latency_ms }),
    }
    const tags = (row.tags ?? '').split(';').map((tag) => tag.trim())
    const content = {
      message,
      ...(endUserRef !== undefined && { endUserRef }),
      tags: [...new Set(tags)].filter((tag) => tag !== ''),
      ...(Object.keys(expect).length > 0 && { expect }),
      mustPass,
      ...(weight !== undefined && { weight }),
    }
    return { turn, content }
  })
