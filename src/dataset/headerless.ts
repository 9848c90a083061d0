// Files without a header: their columns are known by their number.
import { findColumn } from './columns.ts'
import { NO_DELIMITER, sampleRecords, type DelimiterFinding } from './delimiter.ts'
import type { ColumnFault } from './header.ts'
import { foldLineEnds } from './plain-text.ts'

/** One column: questions. Two: questions and answers. Three: Botium's. */
const HEADERS: readonly (readonly string[])[] = [
  ['question'],
  ['question', 'answer'],
  ['conversationId', 'sender', 'text'],
]

const SAMPLE_RECORDS = 20

export type HeaderlessReading =
  | {
      readonly kind: 'header'
      readonly header: readonly string[]
      readonly format: string
      readonly doubt: string | undefined
    }
  | { readonly kind: 'faulty'; readonly faults: readonly ColumnFault[] }

/** The header that the first record's number of cells stands for. `format`: the one that was named. */
export function standIn(cells: readonly string[], format: string | undefined): HeaderlessReading {
  const width = cells.findLastIndex((cell) => cell.trim() !== '') + 1
  const header = HEADERS[width - 1]
  if (header === undefined || (width === 3 && format === 'pairs'))
    return {
      kind: 'faulty',
      faults: [
        {
          message: `the first row has ${width} ${width === 1 ? 'cell' : 'cells'}, and no header to say what they are; without one a file holds questions, or questions and answers, or Botium's conversationId, sender and text: name the columns in a header, and leave out --no-header`,
        },
      ],
    }
  const isNamed = cells
    .slice(0, width)
    .every((cell) => findColumn(cell) !== undefined || /^(?:answer|sender)$/i.test(cell.trim()))
  return {
    kind: 'header',
    header,
    format: width === 3 ? 'botium' : 'pairs',
    doubt: isNamed
      ? 'the first row looks like a header, and is asked as a question; leave out --no-header if it is one'
      : undefined,
  }
}

/**
 * A separator only counts where every row has as many cells; a comma that a space follows in every row is one of prose.
 */
export function findHeaderlessDelimiter(head: string, isWhole: boolean): DelimiterFinding {
  const text = foldLineEnds(head)
  for (const delimiter of ['\t', ';', ',']) {
    const { records } = sampleRecords(text, delimiter, isWhole)
    const rows = records.slice(0, SAMPLE_RECORDS)
    const width = rows[0]?.length ?? 0
    const isProse = rows.every((cells) => cells.slice(1).some((cell) => /^\s+\S/.test(cell)))
    if (width >= 2 && rows.every((cells) => cells.length === width) && !isProse)
      return { delimiter, isNamed: false, isDoubtful: false }
  }
  return { delimiter: NO_DELIMITER, isNamed: false, isDoubtful: false }
}
