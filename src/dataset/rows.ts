// One file to rows: by its header it is in the harness's own form, the results of a run, or another tool's.
import type { ColumnName } from './columns.ts'
import { readCsv, type CsvFile, type CsvRecord } from './csv.ts'
import { chooseFormat, type FormatChoice } from './formats.ts'
import { openImport } from './imports/format.ts'
import { readLayout, undoDefusing, type Layout } from './layout.ts'
import type { Remark, Remarks } from './remarks.ts'
import { readRow, type Row } from './row.ts'

export interface FileRows {
  readonly csv: CsvFile
  /** In the order of the file. */
  readonly rows: readonly Row[]
  /** A missing turn is no fault: a row was lost for another one, or the rows were numbered by somebody else. */
  readonly mayHaveGaps: boolean
  readonly isResults: boolean
}

/** Reads the rows of one file, and gives the questions' rows at the end. */
interface Form {
  readonly take: (record: CsvRecord) => void
  readonly end: () => readonly Row[]
  readonly mayHaveGaps: boolean
}

/** The name of a set's own column: files that spell it differently share the one that came first. */
export type NameColumn = (header: string) => string

/** Undefined, and reported, where no row could be read. */
export async function readRows(
  path: string,
  { format }: FormatChoice,
  nameColumn: NameColumn,
  remarks: Remarks,
): Promise<FileRows | undefined> {
  let form: Form | undefined
  let isResults = false
  let headerLine = 0
  const open = ({ cells: header, line }: CsvRecord): Form | { readonly faults: readonly Remark[] } => {
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
    if (!('faults' in opened)) return (form = opened).take
    for (const fault of opened.faults) remarks.fail({ line: header.line, ...fault })
    return undefined
  })
  if (csv === undefined || form === undefined) return undefined
  const rows = form.end()
  if (rows.length === 0 && remarks.faults().length === 0)
    remarks.fail({ line: headerLine, message: 'the file has a header, but no questions; add a row' })
  return { csv, rows, mayHaveGaps: form.mayHaveGaps || !csv.isWhole, isResults }
}

function openNative({ own, carried, repeat }: Layout, nameColumn: NameColumn, remarks: Remarks): Form {
  const rows: Row[] = []
  const named = carried.map(({ name, index }) => [nameColumn(name), index] as const)
  const isRepeat = createRepeats()
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
      if (repeat === undefined || !isRepeat(row, cells[repeat] ?? '')) rows.push(row)
    },
    end: () => rows,
    mayHaveGaps: repeat !== undefined,
  }
}

/**
 * Whether a row of results asks and expects the same as one before it, and is another repeat of it. One that was edited is none: its id
 * stands twice then, which is a fault.
 */
function createRepeats(): (row: Row, repeat: string) => boolean {
  const firsts = new Map<string, { readonly row: Row; readonly repeat: string }>()
  return (row, repeat) => {
    if (row.id === '') return false
    const key = JSON.stringify([row.thread, row.turn, row.id])
    const first = firsts.get(key)
    if (first === undefined) firsts.set(key, { row, repeat })
    return first !== undefined && first.repeat !== repeat && contentKey(first.row) === contentKey(row)
  }
}

const contentKey = ({ said, cells }: Row): string => JSON.stringify([said, cells])
