// The rows of a question set, with all that is wrong; the saving of a valid one; and what is added to it.
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, parse, relative, resolve } from 'node:path'
import { COLUMN_NAMES, columnKey, createSetRenamer } from '../dataset/columns.ts'
import { chooseFormat, NATIVE } from '../dataset/formats.ts'
import { escapePhrase } from '../dataset/imports/format.ts'
import { isResultsHeader, listPositions, readLayout } from '../dataset/layout.ts'
import { collectMessages, type Fault } from '../dataset/messages.ts'
import {
  encodeCsv,
  padded,
  type RawTable,
  readForm,
  readRawTable,
  withoutBlankEnd,
} from '../dataset/raw-table.ts'
import { readQuestionSets } from '../dataset/read.ts'
import { splitPhrases } from '../dataset/row.ts'
import { isSetHeader, openSet } from '../dataset/rows.ts'
import { hasContent } from '../dataset/source.ts'
import { findWorkbook } from '../dataset/workbook/address.ts'
import type { Estimate } from '../domain/estimate.ts'
import type { Question, Survey } from '../domain/question.ts'
import { guard } from '../domain/storage-error.ts'
import { defuse } from '../domain/text.ts'
import type { SavedSet, SetChange, SetFault, SetRow, SetTable } from '../domain/viewed-set.ts'
import { UsageError } from '../options/faults.ts'
import { renderSetCsv } from '../report/spreadsheet.ts'
import { temporaryName, writeWhole } from '../store/files.ts'
import { isRun } from '../store/folder.ts'
import { estimate, type EstimateOptions, validate } from './estimate.ts'
import { packageFile, type Ports, realPorts, resolveShipped } from './ports.ts'

export interface SetReading {
  readonly column?: readonly string[] | undefined
  readonly format?: string | undefined
}

/** Is a set as it stands in its file. Survey and estimate are null while it has faults. */
export interface ViewedSet {
  readonly table: SetTable
  /** Identifies the file as it was read, null if it cannot be; who saves it names it. */
  readonly digest: string | null
  readonly faults: readonly SetFault[]
  readonly survey: Survey | null
  readonly estimate: Estimate | null
}

export async function readSet(
  path: string,
  options: Partial<EstimateOptions> = {},
  ports: Ports = realPorts(),
): Promise<ViewedSet> {
  const file = resolveShipped(path, () => undefined)
  const { column, format } = options
  const validity = await validate({ datasets: [file], column, format }, ports)
  const headers = column === undefined ? [] : [column].flat().map(String)
  const { columns, rows, isWhole, digest = null } = await readRawTable(file, headers)
  const table = { columns, rows, known: COLUMN_NAMES, isEditable: isWhole && whyFixed(file) === undefined }
  if (validity.kind === 'faulty')
    return { table, digest, faults: placed(validity.faults, rows), survey: null, estimate: null }
  const estimated = await estimate({ ...options, datasets: [file] }, ports)
  return { table, digest, faults: [], survey: validity.survey, estimate: estimated }
}

/** A table of tickets, decisions or reviews may have a column of questions, too; those have other columns. */
export async function holdsQuestions(path: string, column: readonly string[] = []): Promise<boolean> {
  const table = await openSet(path, collectMessages(path), { renamer: createSetRenamer(column) })
  if (table === undefined) return false
  const { cells, names } = table.header
  const keys = cells.map(columnKey)
  const isOther =
    !isResultsHeader(cells) && ['subject', 'article', 'review'].some((key) => keys.includes(key))
  return !isOther && isSetHeader(names, [])
}

export async function columnsOfSet(
  path: string,
  column: readonly string[],
  header: readonly string[] = [],
): Promise<string[]> {
  const isFile = header.length === 0 && column.length > 0 && existsSync(findWorkbook(path)?.file ?? path)
  const renamer = createSetRenamer(column)
  const table = isFile ? await openSet(path, collectMessages(path), { renamer }) : undefined
  const cells = table?.header.cells ?? header
  return column.flatMap((value) => {
    const [name = '', named = ''] = value.split(/=(.*)/s)
    return cells.filter((cell) => columnKey(cell) === columnKey(named)).map((cell) => `${name}=${cell}`)
  })
}

function whyFixed(path: string): string | undefined {
  const inShipped = relative(packageFile('datasets'), resolve(path))
  if (!inShipped.startsWith('..') && parse(inShipped).root === '') return 'is shipped with the package'
  if (/\.(?:json|jsonl|ndjson)$/i.test(path)) return 'is JSON, which is only read'
  return isRun(dirname(path)) ? 'belongs to a recorded run, whose reports replace it' : undefined
}

export function placed(
  faults: readonly Fault[],
  rows: readonly { readonly line: number | null }[],
): SetFault[] {
  const indexes = new Map(rows.map(({ line }, row) => [line, row]))
  return faults.map(({ line = null, message }) => {
    const row = line === null ? undefined : indexes.get(line)
    return { line, ...(row !== undefined && { row }), message }
  })
}

export async function saveSet(
  path: string,
  columns: readonly string[],
  rows: Rows,
  reading: SetReading & { readonly digest?: string | undefined } = {},
  ports: Ports = realPorts(),
): Promise<SavedSet> {
  const { digest, column, format } = reading
  const target = targetOf(path)
  const header = columns.map(withLineFeeds)
  const all = rows.map((cells) => padded(cells, header.length).map(withLineFeeds))
  const kept = all.filter(hasContent)
  const isResults = isResultsHeader(header)
  const written = (cells: readonly string[]) => (isResults ? cells.map(defuse) : cells)
  const form = await readForm(target)
  const render = async (table: Rows): Promise<Uint8Array> =>
    encodeCsv(renderSetCsv(written(header), table.map(written), form), form)
  const { dir, base } = parse(target)
  const temporary = temporaryName(join(dir, `.${base}`))
  try {
    // With the empty rows: faults name the lines that people see.
    writeWhole(temporary, await render(all))
    const validity = await validate({ datasets: [temporary], column, format }, ports)
    const reread = await readRawTable(temporary, column)
    let next = 0
    const lines = all.map((cells) => ({
      line: hasContent(cells) ? (reread.rows[next++]?.line ?? null) : null,
    }))
    if (validity.kind === 'faulty') return { kind: 'faulty', faults: placed(validity.faults, lines) }
    const isSame =
      JSON.stringify([reread.columns, ...reread.rows.map(({ cells }) => cells)].map(withoutBlankEnd)) ===
      JSON.stringify([header, ...kept].map(withoutBlankEnd))
    if (!isSame)
      throw new UsageError(`${path} would not be read again as it is written here; look for odd characters`)
    if (kept.length < all.length) writeWhole(temporary, await render(kept))
    return { kind: 'saved', path: target, change: replace(target, temporary, digest) }
  } finally {
    rmSync(temporary, { force: true })
  }
}

export function undoSet(path: string, change: SetChange): void {
  const { digest, isNew } = change
  const previous = previousOf(path)
  const isLast = existsSync(path) && digestOf(guard(() => readFileSync(path))) === digest
  if (whyFixed(path) !== undefined || !isLast || (!isNew && !existsSync(previous)))
    throw new UsageError(`${path} has been changed since; open it to change it back`)
  if (isNew) guard(() => rmSync(path))
  else guard(() => renameSync(previous, path))
}

const digestOf = (content: Buffer): string => `sha256:${createHash('sha256').update(content).digest('hex')}`

function previousOf(target: string): string {
  const { dir, name, ext } = parse(target)
  return join(dir, `${name}.previous${ext}`)
}

type Rows = readonly (readonly string[])[]

function targetOf(path: string): string {
  const why = whyFixed(path)
  if (why !== undefined) throw new UsageError(`${path} ${why}; save it under another name`)
  const workbook = findWorkbook(path)
  if (workbook === undefined) return path
  const { dir, name } = parse(workbook.file)
  const target = join(dir, `${name}.csv`)
  if (!existsSync(target)) return target
  throw new UsageError(
    `a workbook is saved as CSV beside it, but ${target} is there already; open that one, or rename it`,
  )
}

const withLineFeeds = (cell: string): string => cell.replaceAll(/\r\n?/g, '\n')

function replace(target: string, temporary: string, digest: string | undefined): SetChange | null {
  const before = existsSync(target) ? guard(() => readFileSync(target)) : undefined
  if (digest !== undefined && before !== undefined && digestOf(before) !== digest)
    throw new UsageError(`${target} has been changed meanwhile; open it again`)
  const after = guard(() => readFileSync(temporary))
  if (before?.equals(after) === true) return null
  const previous = previousOf(target)
  if (before !== undefined) {
    // Who could not read the questions before cannot read them now.
    guard(() => chmodSync(temporary, statSync(target).mode))
    const copy = temporaryName(previous)
    guard(() => copyFileSync(target, copy))
    guard(() => renameSync(copy, previous))
  }
  guard(() => renameSync(temporary, target))
  return { digest: digestOf(after), isNew: before === undefined }
}

export async function addToSet(
  path: string,
  cells: Readonly<Record<string, string>>,
  reading: SetReading = {},
  ports: Ports = realPorts(),
): Promise<SavedSet> {
  const names = Object.keys(cells)
  if (!existsSync(path)) {
    const row = names.map((name) => withCell('', name, cells[name] ?? ''))
    return saveSet(path, names, [row], reading, ports)
  }
  const { column = [], format } = reading
  const table = await readRawTable(path, column)
  const read = await readQuestionSets([path], { format, column })
  if (read.kind === 'faulty') return { kind: 'faulty', faults: placed(read.faults, table.rows) }
  // A new column would change what another tool's own columns mean, or would not be read.
  const foreign = format === NATIVE ? undefined : chooseFormat(table.names, format)
  if (foreign !== undefined)
    throw new UsageError(`${path} is ${foreign.title}, which cannot be added to; add to a set of your own`)
  const known = positionsOf(table.names)
  const columns = [...table.columns]
  const indexOf = (name: string): number => {
    const index = known(name)
    if (index !== undefined) return index
    const added = columns.findIndex((header) => columnKey(header) === columnKey(name))
    return added === -1 ? columns.push(name) - 1 : added
  }
  const questions = read.set.threads.flatMap(({ turns }) => turns)
  const same = sameQuestions(table, { questions, known }, cells)
  if (same.size === 0 && (cells['message'] ?? '').trim() === '')
    throw new UsageError(`${path} has no question ${cells['id'] ?? ''}; give a message to add it`)
  const set = (before: readonly string[], written: readonly string[]): string[] => {
    const after = [...before]
    for (const name of written) {
      const index = indexOf(name)
      after[index] = withCell(after[index] ?? '', name, cells[name] ?? '')
    }
    return Array.from(after, (cell) => cell ?? '')
  }
  const others = names.filter((name) => name !== 'id')
  const rows = table.rows.map((row) => (same.has(row) ? set(row.cells, others) : row.cells))
  if (same.size === 0) rows.push(set([], names))
  return saveSet(path, columns, rows, { ...reading, digest: table.digest }, ports)
}

const PHRASES: readonly string[] = ['expect_contains', 'expect_not_contains']

function withCell(before: string, name: string, text: string): string {
  if (!PHRASES.includes(name)) return before.trim() === text.trim() ? before : text
  const phrase = text.trim()
  if (phrase === '') return ''
  if (splitPhrases(before).includes(phrase)) return before
  return before.trim() === '' ? escapePhrase(phrase) : `${before}|${escapePhrase(phrase)}`
}

type IndexOf = (column: string) => number | undefined

function positionsOf(header: readonly string[]): IndexOf {
  const layout = readLayout(header, [])
  const known = 'faults' in layout ? [] : [...layout.own]
  const others = listPositions(header)
  return (column) =>
    known.find(([name]) => name === column)?.[1][0]?.index ??
    others.find(({ name }) => columnKey(name) === columnKey(column))?.index
}

function sameQuestions(
  { columns, rows }: RawTable,
  { questions, known }: { readonly questions: readonly Question[]; readonly known: IndexOf },
  added: Readonly<Record<string, string>>,
): ReadonlySet<SetRow> {
  const cellOf = ({ cells }: SetRow, name: string): string => cells[known(name) ?? -1]?.trim() ?? ''
  const [id = '', message = ''] = [added['id']?.trim(), added['message']?.trim()]
  // An id may be derived: then no cell holds it.
  const lines = new Set(questions.filter((question) => question.id === id).map(({ line }) => line))
  const byId = id === '' ? [] : rows.filter((row) => lines.has(row.line) || cellOf(row, 'id') === id)
  if (byId.length > 0 || message === '') return new Set(byId)
  const sent = new Set(questions.map(({ line }) => line))
  return new Set(
    rows.filter(
      (row) =>
        (sent.has(row.line) || isResultsHeader(columns)) &&
        cellOf(row, 'message') === message &&
        (id === '' || cellOf(row, 'id') === '') &&
        ['thread', 'turn'].every(
          (name) => added[name] === undefined || cellOf(row, name) === added[name].trim(),
        ),
    ),
  )
}
