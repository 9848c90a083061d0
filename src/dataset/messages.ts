// Faults and warnings with file and line, and how messages quote cells.
import { cut } from '../domain/text.ts'
import { digits } from '../domain/format.ts'
import { type BrokenLetters, findBroken } from '../text/broken-letters.ts'

export interface FileMessage {
  /** The record begins on this physical line, from 1; undefined is the whole file. */
  readonly line?: number | undefined
  /** It says what is wrong and how to fix it, in one line. */
  readonly message: string
}

export interface Fault extends FileMessage {
  /** The path is as the user wrote it, with the sheet of a workbook: `set.xlsx#Sheet`. */
  readonly file: string
  /** It is the row in a spreadsheet, from 1, if cells with line breaks make it differ from `line`. */
  readonly row?: number
}

/** Writes `set.csv`, `set.csv:3`, or `set.csv:7 (row 3)`. */
export const placeOf = ({ file, line, row }: Omit<Fault, 'message'>): string =>
  `${file}${line === undefined ? '' : `:${line}`}${row === undefined ? '' : ` (row ${row})`}`

export const formatFault = (fault: Fault): string => `${placeOf(fault)}: ${fault.message}`

export type FileMessages = ReturnType<typeof collectMessages>

export function collectMessages(file: string) {
  const faults: FileMessage[] = []
  const warnings: FileMessage[] = []
  const rows = new Map<number, number>()
  const broken = new Map<number, BrokenLetters>()
  let [named, areEntries] = [file, false]
  const place = (line: number): string =>
    areEntries ? `${named}, entry ${line}` : placeOf({ file: named, line })
  const locate = ({ line, message }: FileMessage): Fault => {
    if (areEntries && line !== undefined) return { file: place(line), message }
    const row = rows.get(line ?? 0)
    return { file: named, ...(line !== undefined && { line }), message, ...(row !== undefined && { row }) }
  }
  return {
    place,
    fail: (message: FileMessage): void => void faults.push(message),
    warn: (message: FileMessage): void => void warnings.push(message),
    nameSheet: (sheet: string): void => {
      named = `${file}#${sheet}`
    },
    countEntries: (): void => {
      areEntries = true
    },
    /** Both count from 1. */
    mapRow: ({ line, row }: { readonly line?: number | undefined; readonly row?: number }): void => {
      if (line !== undefined && row !== undefined && line !== row) rows.set(line, row)
    },
    /** Looks for letters that a tool broke; the warnings tell the first. */
    inspect: ({ line, cells }: { readonly line: number; readonly cells: readonly string[] }): void => {
      const letters = findBroken(cells.join('\n'))
      if (letters !== undefined) broken.set(line, letters)
    },
    faults: (): Fault[] => faults.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)).map(locate),
    warnings: (): string[] => {
      const [first] = broken
      const told = first && { line: first[0], message: describeBroken(first[1], 'rows', broken.size) }
      return [...warnings, ...(told ? [told] : [])].map((warning) => formatFault(locate(warning)))
    },
  }
}

/** They are sent as they are: nobody can know what they were. */
export const describeBroken = ({ word, cause }: BrokenLetters, what: string, count: number): string =>
  `broken letters, such as ${excerpt(word)}; ${what} with such: ${digits(count)}; ${cause}: export the ` +
  'original again, as UTF-8'

const MAX_LENGTH = 60

/** Quotes a text on one line, truncated with `…`; control and format characters as `\u{…}`. */
export function excerpt(text: string): string {
  const line = cut(text, MAX_LENGTH).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  const visible = line.replaceAll(
    /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
  return `"${visible}"`
}

/** Writes `"a", "b" and 3 more`. */
export function excerptList(texts: readonly string[], max = 12): string {
  const shown = texts.slice(0, max).map(excerpt).join(', ')
  return texts.length > max ? `${shown} and ${digits(texts.length - max)} more` : shown
}
