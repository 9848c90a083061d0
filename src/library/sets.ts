// The rows of a question set, with all that is wrong; and the saving of a valid one.
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, parse, relative, resolve } from 'node:path'
import { columnKey, COLUMN_NAMES, createSetRenamer } from '../dataset/columns.ts'
import { isResultsHeader } from '../dataset/layout.ts'
import { collectMessages, type Fault } from '../dataset/messages.ts'
import { encodeCsv, padded, readForm, readRawTable, withoutBlankEnd } from '../dataset/raw-table.ts'
import { isSetHeader, openSet } from '../dataset/rows.ts'
import { hasContent } from '../dataset/source.ts'
import { findWorkbook } from '../dataset/workbook/address.ts'
import { guard } from '../domain/storage-error.ts'
import { defuse } from '../domain/text.ts'
import type { Estimate } from '../domain/estimate.ts'
import type { Survey } from '../domain/question.ts'
import type { SavedSet, SetChange, SetFault, SetTable } from '../domain/viewed-set.ts'
import { UsageError } from '../options/faults.ts'
import { renderSetCsv } from '../report/spreadsheet.ts'
import { temporaryName, writeWhole } from '../store/files.ts'
import { isRun } from '../store/folder.ts'
import { estimate, type EstimateOptions, validate } from './estimate.ts'
import { type Ports, realPorts } from './ports.ts'
import { packageFile, resolveShipped } from './shipped.ts'

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
