// What may be wrong or odd with a file as a whole, in words.
import type { Ending } from './records.ts'
import type { Remark } from './table-listener.ts'

export const NOT_UTF8 =
  'not UTF-8, so the file is read as Windows-1252; if letters look wrong, save it as "CSV UTF-8"'

export const ONE_COLUMN =
  'the header names one column, so each line is one cell, with what looks like separators in it; if there are more columns, name them all'

export const describeNul = (line: number): Remark => ({
  line,
  message:
    'a NUL byte: the file is no plain text, or UTF-16 without its byte order mark; save it as "CSV UTF-8"',
})

export function describeEnding(ending: Ending): Remark | undefined {
  switch (ending.kind) {
    case 'whole':
      return undefined
    case 'unclosed':
      return {
        line: ending.line,
        message:
          'a quote opens a cell here and is never closed, so no row after it was read; close it, or write "" for a quote inside a quoted cell',
      }
    case 'oversized': {
      const most = `${ending.most / 2 ** 20} MB`
      return {
        line: ending.line,
        message: `the row is over ${most}, so no row after it was read; look for a quote that was never closed, or shorten the row: ${most} is the most for a whole row, and 256 KB for one cell of a question`,
      }
    }
  }
}
