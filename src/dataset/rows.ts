// Reads the rows of one file: a native question set, the results of a run, or another tool's format.
import type { ColumnName } from './columns.ts'
import { readCsv, type CsvFile, type CsvRecord } from './csv.ts'
import { chooseFormat } from './formats.ts'
import { openImport } from './imports/format.ts'
import { readLayout, undoDefusing, type Layout } from './layout.ts'
import type { Remarks } from './remarks.ts'
import { readRow, type Row } from './row.ts'

export interface FileRows {
  readonly csv: CsvFile
  readonly rows: readonly Row[]
  /** Missing turns are no fault: a faulty row was left out, or another tool numbered the turns. */
  readonly mayHaveGaps: boolean
  readonly isResults: boolean
}

/** Reader for the rows of one file. */
interface RowReader {
  readonly take: (record: CsvRecord) => void
  readonly end: () => readonly Row[]
  readonly mayHaveGaps: boolean
}

/** Name of a copied column: files that spell it differently share the first spelling. */
export type NameColumn = (header: string) => string

/** Undefined, after reporting a fault, if no row could be read. */
export async function readRows(
  path: string,
  format: string | undefined,
  nameColumn: NameColumn,
  remarks: Remarks,
): Promise<FileRows | undefined> {
  let reader: RowReader | undefined
  let isResults = false
  let headerLine = 0
  const open = ({ cells: header, line }: CsvRecord): RowReader | { readonly faults: readonly string[] } => {
    headerLine = line
    const foreign = chooseFormat(header, format)
    if (foreign !== undefined) return openImport(foreign, header, nameColumn, remarks)
    const layout = readLayout(header)
    if ('faults' in layout) return layout
    isResults = layout.repeat !== undefined
    return openNative(layout, nameColumn, remarks)
  }
  const csv = await readCsv(path, remarks, (header) => {
    const opened = open(header)
    if (!('faults' in opened)) return (reader = opened).take
    for (const message of opened.faults) remarks.fail({ line: header.line, message })
    return undefined
  })
  if (csv === undefined || reader === undefined) return undefined
  const rows = reader.end()
  if (rows.length === 0 && remarks.faults().length === 0)
    remarks.fail({ line: headerLine, message: 'the file has a header, but no questions; add a row' })
  return { csv, rows, mayHaveGaps: reader.mayHaveGaps || !csv.isComplete, isResults }
}

function openNative({ own, carried, repeat }: Layout, nameColumn: NameColumn, remarks: Remarks): RowReader {
  const rows: Row[] = []
  const named = carried.map(({ name, index }) => [nameColumn(name), index] as const)
  const firstOf = createRepeatDetector()
  return {
    take: ({ cells: written, line }) => {
      const cells = repeat === undefined ? written : written.map(undoDefusing)
      const fields: Partial<Record<ColumnName, string>> = {}
      for (const [name, places] of own) {
        const text = places.map(({ index }) => cells[index]?.trim() ?? '').join(';')
        if (text !== '') fields[name] = text
      }
      const ownCells = Object.fromEntries(named.map(([name, index]) => [name, cells[index] ?? '']))
      const row = readRow({ line, fields, cells: ownCells }, remarks)
      const first = repeat === undefined ? undefined : firstOf(row, cells[repeat] ?? '')
      if (first === undefined) rows.push(row)
      else if (contentKey(first) !== contentKey(row))
        remarks.fail({
          line,
          message: `it differs from line ${first.line}, another repeat of the question; edit both alike, or delete one`,
        })
    },
    end: () => rows,
    mayHaveGaps: repeat !== undefined,
  }
}

/** Returns the first repeat of a row of `results.csv`; undefined if the row is the first itself. */
function createRepeatDetector(): (row: Row, repeat: string) => Row | undefined {
  const firsts = new Map<string, { readonly row: Row; readonly repeat: string }>()
  return (row, repeat) => {
    if (row.id === '') return undefined
    const key = JSON.stringify([row.thread, row.turn, row.id])
    const first = firsts.get(key)
    if (first === undefined) firsts.set(key, { row, repeat })
    return first?.repeat === repeat ? undefined : first?.row
  }
}

const contentKey = ({ content, cells }: Row): string => JSON.stringify([content, cells])
