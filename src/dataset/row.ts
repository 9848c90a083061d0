// Validates a row of a question set.
import type { Expectations, Question } from '../domain/question.ts'
import type { ColumnName } from './columns.ts'
import { CUT_MARK } from '../domain/text.ts'
import { excerpt, type FileMessages } from './messages.ts'

export interface WrittenRow {
  readonly line: number
  /** Faults call a column as the file does, where it has another name. */
  readonly headers: Headers
  /** It is trimmed; empty cells are absent. */
  readonly fields: Readonly<Partial<Record<ColumnName, string>>>
  readonly cells: Readonly<Record<string, string>>
}

export type Headers = Readonly<Partial<Record<ColumnName, string>>>

export interface QuestionRow {
  readonly line: number
  /** This and `thread` stand as in the file, empty if absent. */
  readonly id: string
  readonly thread: string
  /** It counts from 0 or 1. Undefined: the order of the rows decides. NaN: the row is faulty. */
  readonly turn: number | undefined
  readonly content: Omit<Question, 'id' | 'file' | 'line' | 'thread' | 'turn' | 'cells'>
  readonly cells: WrittenRow['cells']
}

/** Reports a faulty row and returns it with turn NaN, so that it causes no further faults. */
export function readRow(row: WrittenRow, { fail }: FileMessages): QuestionRow {
  const { line, fields, cells } = row
  const { read, reject, nameOf, isFaulty } = createReader(row, fail)
  const { id = '', thread = '', message = '', end_user_ref: endUserRef } = fields
  const said = `${nameOf('message')} ${excerpt(message)}`
  if (message === '') {
    const where = row.headers.message === undefined ? 'it' : `it into ${excerpt(row.headers.message)}`
    reject(`the row has no question; write ${where}, or clear the whole row`)
  } else if (INVISIBLE.test(message))
    reject(`${said} has no visible character; write the question, or clear the whole row`)
  else if (message.endsWith(CUT_MARK))
    reject(`${said} was cut when it was written into the workbook; copy it from the CSV file`)
  const turn = read(
    'turn',
    // `3.0`: tables with missing values are often exported that way.
    (text) => (/^\d{1,9}([.,]0+)?$/.test(text) ? Number.parseInt(text, 10) : undefined),
    'is not a whole number; write the position in the thread, such as 1, 2, 3',
  )
  const [personal] = PERSONAL.find(([, pattern]) => pattern.test(endUserRef?.normalize('NFKC') ?? '')) ?? []
  // The contract forbids personal data here. Faults end up in logs, so they do not repeat the cell.
  if (personal !== undefined)
    reject(
      `${nameOf('end_user_ref')} contains ${personal}, and personal data must not be sent; write an ` +
        'opaque reference such as user-17, or clear the cell',
    )
  const weight = read(
    'weight',
    (cell) => (AMBIGUOUS.test(cell) ? undefined : decimalWithin(cell, MIN_WEIGHT, MAX_WEIGHT)),
    'must be a number above 0 and up to 1000000000, without thousands separators, such as 250 or 0.5',
  )
  const mustPass = read('must_pass', readYesNo, 'must be yes or no; true, false, 1, 0 and x also work')
  const expect = readExpectations(fields, { read, reject, nameOf })
  if (isFaulty())
    return { line, id, thread, turn: NaN, content: { message: '', tags: [], mustPass: false }, cells }
  const tags = (fields.tags ?? '').split(';').map((tag) => tag.trim())
  const content = {
    message,
    ...(endUserRef !== undefined && { endUserRef }),
    tags: [...new Set(tags)].filter((tag) => tag !== ''),
    ...(Object.keys(expect).length > 0 && { expect }),
    mustPass: mustPass ?? false,
    ...(weight !== undefined && { weight }),
  }
  return { line, id, thread, turn, content, cells }
}

/** Excel writes its booleans in the language of the reader. */
export const readYesNo = (cell: string): boolean | undefined =>
  YES.test(cell) || (NO.test(cell) ? false : undefined)

const YES = /^(?:true|yes|y|1|x|ja|wahr|oui|vrai|s(?:i\u0301?|í)|verdadero)$/i
const NO = /^(?:false|no|n|0|nein|falsch|non|faux|falso)$/i

const PERSONAL = [
  ['an e-mail address', /[^\s@<>"(),;:]+@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+/u],
  // A plus begins it, not behind a letter or digit, then six or more digits with the usual separators.
  ['a phone number', /(?<![\p{L}\p{N}])\+[\s(]*\d(?:[\s().\-/]*\d){5,}/u],
] as const

type Fields = WrittenRow['fields']
type Reader = Omit<ReturnType<typeof createReader>, 'isFaulty'>

function createReader({ line, fields, headers }: WrittenRow, fail: FileMessages['fail']) {
  let isFaulty = false
  const reject = (message: string): undefined => {
    isFaulty = true
    fail({ line, message })
  }
  const nameOf = (name: ColumnName): string => headers[name] ?? name
  return {
    reject,
    nameOf,
    isFaulty: () => isFaulty,
    /** The `parse` gives undefined for a cell that is wrong. */
    read: <T>(name: ColumnName, parse: (text: string) => T | undefined, what: string): T | undefined => {
      const text = fields[name]
      const value = text === undefined ? undefined : parse(text)
      return text !== undefined && value === undefined
        ? reject(`${nameOf(name)} ${excerpt(text)} ${what}`)
        : value
    },
  }
}

function readExpectations(fields: Fields, { read, reject, nameOf }: Reader): Expectations {
  const { expect_source: source, expect_regex: regex, expect_answer: answer } = fields
  if (source !== undefined && !/^!?\s*[^!\s]/.test(source))
    reject(
      `${nameOf('expect_source')} has no value after "!"; write the source that the answer must not have, ` +
        'such as !NONE',
    )
  const [contains, notContains] = (['expect_contains', 'expect_not_contains'] as const).map((name) =>
    read(
      name,
      (text) => (/[^|\s]/.test(text) ? splitPhrases(text) : undefined),
      String.raw`contains only bars; write texts between them, or \| for a bar itself`,
    ),
  )
  const regexFault = regex === undefined ? undefined : faultOf(regex)
  if (regex !== undefined && regexFault !== undefined)
    reject(
      `${nameOf('expect_regex')} ${excerpt(regex)} is not a regular expression (${regexFault}); fix it, or ` +
        'escape special characters with a backslash',
    )
  const minSimilarity = read(
    'min_similarity',
    (cell) => decimalWithin(cell, 0, 1),
    'must be a number from 0 to 1, such as 0.7',
  )
  const maxLatencyMs = read(
    'max_latency_ms',
    (cell) => (AMBIGUOUS.test(cell) ? undefined : decimalWithin(cell, Number.MIN_VALUE, Infinity)),
    'must be a number of milliseconds above 0, such as 3000',
  )
  return {
    ...(source !== undefined && {
      source: { not: source.startsWith('!'), value: source.replace(/^!\s*/, '') },
    }),
    ...(contains && { contains }),
    ...(notContains && { notContains }),
    ...(regex !== undefined && { regex }),
    ...(answer !== undefined && {
      answer: { text: answer, minSimilarity: minSimilarity ?? DEFAULT_SIMILARITY },
    }),
    ...(maxLatencyMs !== undefined && { maxLatencyMs }),
  }
}

const DEFAULT_SIMILARITY = 0.5
/** The lightest question would be lost in rounding if weights were further apart. */
const [MIN_WEIGHT, MAX_WEIGHT] = [1e-6, 1e9]

/** Spaces, controls and signs that show nothing, such as the Braille blank, are no text. */
const INVISIBLE = /^[\p{DI}\p{Z}\p{Cc}\p{Cf}\u2800]*$/u
/** The separator could mark thousands or decimals. */
const AMBIGUOUS = /^[1-9]\d{0,2}([.,]\d{3})+$/

/** Accepts a decimal point or a comma, as many spreadsheets write it. */
function decimalWithin(text: string, min: number, max: number): number | undefined {
  const value = /^(\d+([.,]\d*)?|[.,]\d+)$/.test(text) ? Number(text.replace(',', '.')) : NaN
  return value >= min && value <= max ? value : undefined
}

/** Splits texts at bars. `\|` is a bar, `\\` a backslash; any other backslash is literal. */
export const splitPhrases = (cell: string): string[] =>
  (cell.match(/(?:\\[|\\]|[^|])+/g) ?? [])
    .map((phrase) => phrase.trim().replaceAll(/\\([|\\])/g, '$1'))
    .filter((phrase) => phrase !== '')

function faultOf(regex: string): string | undefined {
  try {
    RegExp(regex, 'iu')
    return undefined
  } catch (error) {
    // V8 repeats the whole expression before the reason.
    return error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error)
  }
}
