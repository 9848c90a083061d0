// Comma, semicolon or tab, found out from the header and the first rows.
import { findColumn } from './columns.ts'
import { foldLineEnds } from './plain-text.ts'
import { createRecordScanner } from './record-text.ts'

/** Cells of a one-column file end at the line's end only: no text holds this control character by chance. */
export const NO_DELIMITER = '\u001f'

/** In the order of preference where nothing else decides. */
const CANDIDATES = [',', ';', '\t'] as const

const SAMPLE_RECORDS = 20

export interface DelimiterFinding {
  readonly delimiter: string
  /** Excel's own first line, `sep=;`, stands before the header. */
  readonly isNamed: boolean
  /** The header has one cell, yet every row looks as if it had several. */
  readonly isDoubtful: boolean
}

/** `head`: the beginning of the text; `isWhole`: its last record is not cut off. */
export function findDelimiter(head: string, isWhole: boolean): DelimiterFinding {
  const text = foldLineEnds(head)
  const named = /^"?sep=([,;\t])"?[^\S\n]*\n/i.exec(text)?.[1]
  if (named !== undefined) return { delimiter: named, isNamed: true, isDoubtful: false }
  const trials = CANDIDATES.map((delimiter) => tryDelimiter(text, delimiter, isWhole))
  const hollow = trials.find(({ isHollow }) => isHollow)
  if (hollow !== undefined) return { delimiter: hollow.delimiter, isNamed: false, isDoubtful: false }
  const best = trials.reduce((winner, trial) => (compareTrials(trial, winner) > 0 ? trial : winner))
  if (best.cells > 1) return { delimiter: best.delimiter, isNamed: false, isDoubtful: false }
  return { delimiter: NO_DELIMITER, isNamed: false, isDoubtful: trials.some(({ isSplit }) => isSplit) }
}

interface Trial {
  readonly delimiter: string
  /** Columns of the header that are known by name. */
  readonly known: number
  readonly hasMessage: boolean
  /** Share of the sampled rows that have as many cells as the header. */
  readonly even: number
  /** Cells of the header. */
  readonly cells: number
  /** Nothing but separators stands there. */
  readonly isHollow: boolean
  /** Two rows or more, all of one and the same number of cells over one. */
  readonly isSplit: boolean
}

function tryDelimiter(text: string, delimiter: string, isWhole: boolean): Trial {
  const { records, isBroken } = sampleRecords(text, delimiter, isWhole)
  const [header = [], ...rows] = records
  const columns = header.map(findColumn).filter((column) => column !== undefined)
  const width = rows[0]?.length ?? 1
  return {
    delimiter,
    known: columns.length,
    hasMessage: columns.some(({ name }) => name === 'message'),
    even: rows.length === 0 ? 1 : rows.filter((row) => row.length === header.length).length / rows.length,
    cells: header.length,
    isHollow: records.length === 0 && !isBroken,
    isSplit: rows.length > 1 && width > 1 && rows.every((row) => row.length === width),
  }
}

interface Sample {
  readonly records: readonly (readonly string[])[]
  /** Ended by a record whose quotes make no sense, as they may under the wrong delimiter. */
  readonly isBroken: boolean
}

/** The first records with content, cut by this delimiter. */
function sampleRecords(text: string, delimiter: string, isWhole: boolean): Sample {
  const scan = createRecordScanner(delimiter)
  const records: (readonly string[])[] = []
  for (let at = 0; at < text.length && records.length <= SAMPLE_RECORDS;) {
    const { cells, end, broken } = scan(text, at)
    if (broken !== undefined) return { records, isBroken: true }
    // What is cut off by the end of the sample says nothing.
    if (end > text.length && !isWhole && records.length > 0) break
    if (cells.some((cell) => cell.trim() !== '')) records.push(cells)
    at = end
  }
  return { records, isBroken: false }
}

/** Known names decide first: a header says what it means. Then even rows, then the number of cells. */
function compareTrials(a: Trial, b: Trial): number {
  return (
    Number(a.hasMessage) - Number(b.hasMessage) || a.known - b.known || a.even * a.cells - b.even * b.cells
  )
}
