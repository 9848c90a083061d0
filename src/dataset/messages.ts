// Faults and warnings with file and line, and how messages quote cells.
import { cut } from '../domain/text.ts'
import { digits } from '../domain/format.ts'

export interface FileMessage {
  /** Physical line on which the record begins, from 1; undefined: the whole file. */
  readonly line?: number | undefined
  /** What is wrong and how to fix it, in one line. */
  readonly message: string
}

export interface Fault extends FileMessage {
  /** Path as the user wrote it, and the sheet of a workbook: `set.xlsx#Sheet`. */
  readonly file: string
  /** Row number in a spreadsheet, from 1, if it differs from `line` because cells contain line breaks. */
  readonly row?: number
}

/** `set.csv`, `set.csv:3`, or `set.csv:7 (row 3)`. */
export const placeOf = ({ file, line, row }: Omit<Fault, 'message'>): string =>
  `${file}${line === undefined ? '' : `:${line}`}${row === undefined ? '' : ` (row ${row})`}`

export const formatFault = (fault: Fault): string => `${placeOf(fault)}: ${fault.message}`

export interface FileMessages {
  readonly fail: (message: FileMessage) => void
  readonly warn: (message: FileMessage) => void
  /** The messages are about this sheet of the workbook. */
  readonly nameSheet: (sheet: string) => void
  /** Lines are the numbers of objects in a list of JSON. */
  readonly countEntries: () => void
  /** Records that a spreadsheet row begins on this line, both from 1. */
  readonly mapRow: (line: number, row: number) => void
  /** `set.csv:3`, `set.xlsx#Sheet:3`. */
  readonly place: (line: number) => string
  readonly faults: () => Fault[]
  readonly warnings: () => string[]
}

export function collectMessages(file: string): FileMessages {
  const faults: FileMessage[] = []
  const warnings: FileMessage[] = []
  const rows = new Map<number, number>()
  let [named, areEntries] = [file, false]
  const place = (line: number): string =>
    areEntries ? `${named}, entry ${line}` : placeOf({ file: named, line })
  const locate = ({ line, message }: FileMessage): Fault => {
    if (areEntries && line !== undefined) return { file: place(line), message }
    const row = rows.get(line ?? 0)
    return { file: named, ...(line !== undefined && { line }), message, ...(row !== undefined && { row }) }
  }
  return {
    fail: (message) => void faults.push(message),
    warn: (message) => void warnings.push(message),
    nameSheet: (sheet) => {
      named = `${file}#${sheet}`
    },
    countEntries: () => {
      areEntries = true
    },
    place,
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
  const line = cut(text, MAX_LENGTH).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  const visible = line.replaceAll(
    /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
  return `"${visible}"`
}

/** `"a", "b" and 3 more`. */
export function excerptList(texts: readonly string[], max = 12): string {
  const shown = texts.slice(0, max).map(excerpt).join(', ')
  return texts.length > max ? `${shown} and ${digits(texts.length - max)} more` : shown
}
