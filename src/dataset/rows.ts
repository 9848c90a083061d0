// Reads the rows of one file: a native question set, the results of a run, or another tool's format.
import { columnKey, findColumn, type ColumnName, type Renamer } from './columns.ts'
import { chooseFormat } from './formats.ts'
import { openImport } from './imports/format.ts'
import { readLayout, undoDefusing, type Layout } from './layout.ts'
import type { FileMessages } from './messages.ts'
import type { TableFile, TableRecord } from './records.ts'
import { createRoleReader } from './roles.ts'
import { readRow, type QuestionRow } from './row.ts'
import { readTable } from './table.ts'

export interface FileRows {
  readonly table: TableFile
  readonly rows: readonly QuestionRow[]
  /** Which header was read as which column; null for one that keeps its name. */
  readonly columns: readonly ReadColumn[]
  /** Missing turns are no fault: a row was left out, or another tool numbered the turns. */
  readonly mayHaveGaps: boolean
}

export interface ReadColumn {
  readonly header: string
  readonly column: ColumnName | null
}

interface RowReader {
  readonly take: (record: TableRecord) => void
  readonly end: () => readonly QuestionRow[]
  readonly columns: readonly { readonly index: number; readonly column: ColumnName | null }[]
  readonly mayHaveGaps: () => boolean
}

export interface ReadOptions {
  readonly format: string | undefined
  readonly renamer: Renamer
  /** Names a copied column: files that spell it differently share the first spelling. */
  readonly nameColumn: (header: string) => string
}

/** Undefined, after reporting a fault, if no row could be read. */
export async function readRows(
  path: string,
  { format, renamer, nameColumn }: ReadOptions,
  messages: FileMessages,
): Promise<FileRows | undefined> {
  let reader: RowReader | undefined
  let header: TableRecord = { cells: [], line: 0 }
  let isRepeated = isRepeatOf([])
  const open = (
    names: readonly string[],
    sample: readonly (readonly string[])[],
  ): RowReader | { readonly faults: readonly string[] } => {
    const foreign = chooseFormat(names, format)
    if (foreign !== undefined) return openImport(foreign, names, nameColumn, messages)
    const layout = readLayout(names, sample)
    if ('faults' in layout) return layout
    for (const message of layout.notes) messages.warn({ line: header.line, message })
    return openNative(layout, nameColumn, messages)
  }
  const table = await readTable(
    path,
    messages,
    (record, sample) => {
      header = record
      isRepeated = isRepeatOf(record.cells)
      const opened = open(renamer.renameHeader(record.cells), sample)
      if (!('faults' in opened)) {
        reader = opened
        return (row) => {
          if (!isRepeated(row.cells)) return opened.take(row)
          const repeated = `the header of line ${header.line} stands here again`
          messages.fail({ line: row.line, message: `${repeated}, as in joined files; delete the line` })
        }
      }
      for (const message of opened.faults) messages.fail({ line: record.line, message })
      return undefined
    },
    (cells) => isSetHeader(renamer.rename(cells)),
  )
  if (table === undefined || reader === undefined) return undefined
  const rows = reader.end()
  if (rows.length === 0 && messages.faults().length === 0)
    messages.fail({ line: header.line, message: 'the file has a header, but no questions; add a row' })
  const columns = reader.columns.map(({ index, column }) => ({
    header: header.cells[index]?.trim() ?? '',
    column,
  }))
  return { table, rows, columns, mayHaveGaps: reader.mayHaveGaps() || !table.isComplete }
}

const namesMessage = (cell: string): boolean => findColumn(cell)?.name === 'message'

/** `cells`: renamed as `--column` says. */
export const isSetHeader = (cells: readonly string[]): boolean =>
  cells.some(namesMessage) || chooseFormat(cells, undefined) !== undefined

/** Longer cells name no column, and comparing them takes time. */
const MAX_HEADER = 100

/** Tells whether a row is the header again, or the header of another set. */
function isRepeatOf(header: readonly string[]): (cells: readonly string[]) => boolean {
  const own = header.map(columnKey)
  const isName = (cell: string): boolean =>
    cell.length <= MAX_HEADER && (own.includes(columnKey(cell)) || findColumn(cell) !== undefined)
  return (cells) => {
    if (!cells.every((cell) => cell.trim() === '' || isName(cell))) return false
    const isSame = cells.every((cell, index) => columnKey(cell) === (own[index] ?? ''))
    return isSame || (cells.filter((cell) => cell.trim() !== '').length > 1 && cells.some(namesMessage))
  }
}

function openNative(
  { own, carried, repeat }: Layout,
  nameColumn: ReadOptions['nameColumn'],
  messages: FileMessages,
): RowReader {
  const rows: QuestionRow[] = []
  const [role] = own.get('role') ?? []
  const roles = role && createRoleReader(role.name, messages)
  const named = carried.map(({ name, index }) => [nameColumn(name), index] as const)
  const known = [...own].flatMap(([column, positions]) => positions.map(({ index }) => ({ index, column })))
  const others = carried.filter(({ index }) => known.every((one) => one.index !== index))
  const firstOf = createRepeatDetector()
  return {
    take: ({ cells: written, line }) => {
      const cells = repeat === undefined ? written : written.map(undoDefusing)
      if (roles?.isQuestion(cells[role?.index ?? -1]?.trim() ?? '', line) === false) return
      const fields: Partial<Record<ColumnName, string>> = {}
      for (const [name, positions] of own) {
        const text = positions.map(({ index }) => cells[index]?.trim() ?? '').join(';')
        if (text !== '') fields[name] = text
      }
      const ownCells = Object.fromEntries(named.map(([name, index]) => [name, cells[index] ?? '']))
      const row = readRow({ line, fields, cells: ownCells }, messages)
      const first = repeat === undefined ? undefined : firstOf(row, cells[repeat] ?? '')
      if (first === undefined) rows.push(row)
      else if (contentKey(first) !== contentKey(row))
        messages.fail({
          line,
          message:
            `it differs from line ${first.line}, another repeat of the question; edit both ` +
            'alike, or delete one',
        })
    },
    end: () => {
      roles?.report()
      return rows
    },
    columns: [...known, ...others.map(({ index }) => ({ index, column: null }))].toSorted(
      (a, b) => a.index - b.index,
    ),
    mayHaveGaps: () => repeat !== undefined || roles?.hasLeftOut() === true,
  }
}

/** Returns the first repeat of a row of `results.csv`; undefined if the row is the first itself. */
function createRepeatDetector(): (row: QuestionRow, repeat: string) => QuestionRow | undefined {
  const firsts = new Map<string, { readonly row: QuestionRow; readonly repeat: string }>()
  return (row, repeat) => {
    if (row.id === '') return undefined
    const key = JSON.stringify([row.thread, row.turn, row.id])
    const first = firsts.get(key)
    if (first === undefined) firsts.set(key, { row, repeat })
    return first?.repeat === repeat ? undefined : first?.row
  }
}

const contentKey = ({ content, cells }: QuestionRow): string => JSON.stringify([content, cells])
