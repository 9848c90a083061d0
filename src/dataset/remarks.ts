// Faults and warnings with file and line, and how messages quote cells.
import { cut } from '../domain/text.ts'
import { digits } from '../domain/format.ts'

export interface Remark {
  /** Physical line on which the record begins, from 1; undefined: the whole file. */
  readonly line?: number
  /** What is wrong and how to fix it, in one line. */
  readonly message: string
}

export interface Fault extends Remark {
  /** Path as the user wrote it. */
  readonly file: string
  /** Row number in a spreadsheet, from 1, if it differs from `line` because cells contain line breaks. */
  readonly row?: number
}

/** `set.csv`, `set.csv:3`, or `set.csv:7 (row 3)`. */
export const placeOf = ({ file, line, row }: Omit<Fault, 'message'>): string =>
  `${file}${line === undefined ? '' : `:${line}`}${row === undefined ? '' : ` (row ${row})`}`

export const formatFault = (fault: Fault): string => `${placeOf(fault)}: ${fault.message}`

/** Collects the faults and warnings of one file. */
export interface Remarks {
  readonly fail: (remark: Remark) => void
  readonly warn: (remark: Remark) => void
  /** Records that a spreadsheet row begins on this line, both from 1. */
  readonly mapRow: (line: number, row: number) => void
  readonly faults: () => Fault[]
  readonly warnings: () => string[]
}

export function createRemarks(file: string): Remarks {
  const faults: Remark[] = []
  const warnings: Remark[] = []
  const rows = new Map<number, number>()
  const locate = (remark: Remark): Fault => {
    const row = rows.get(remark.line ?? 0)
    return { file, ...remark, ...(row !== undefined && { row }) }
  }
  return {
    fail: (remark) => void faults.push(remark),
    warn: (remark) => void warnings.push(remark),
    mapRow: (line, row) => {
      if (line !== row) rows.set(line, row)
    },
    faults: () => faults.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)).map(locate),
    warnings: () => warnings.map((warning) => formatFault(locate(warning))),
  }
}

const MAX_LENGTH = 60

/** `"text"` on one line, truncated with `…`; control and format characters as `\u{…}`. */
export function excerpt(text: string): string {
  return `"${cut(text, MAX_LENGTH).replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, escape)}"`
}

function escape(character: string): string {
  if (character === '\n') return '\\n'
  if (character === '\t') return '\\t'
  return `\\u{${character.codePointAt(0)?.toString(16)}}`
}

/** `"a", "b" and 3 more`. */
export function excerptList(texts: readonly string[], most = 12): string {
  const shown = texts.slice(0, most).map(excerpt).join(', ')
  return texts.length > most ? `${shown} and ${digits(texts.length - most)} more` : shown
}
