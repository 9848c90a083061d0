// Imports another tool's question set: maps its columns by rules, and reports what was mapped and lost.
import { digits, plural } from '../../domain/format.ts'
import {
  COLUMN_NAMES,
  columnKey,
  findColumn,
  isCarried,
  isLikeExpectation,
  type ColumnName,
} from '../columns.ts'
import { listPositions } from '../layout.ts'
import { excerpt, excerptList, type FileMessages } from '../messages.ts'
import { readRow, type QuestionRow } from '../row.ts'
import type { TableRow } from '../source.ts'

export interface Format {
  readonly name: string
  /** It completes "read as …". */
  readonly title: string
  /** The `headers` are not empty; `keys` are their `columnKey`s. */
  readonly recognises: (keys: readonly string[], headers: readonly string[]) => boolean
  readonly required?: readonly string[]
  /** A column without a rule keeps its name, and its meaning if the name is ours. */
  readonly columns: (headers: readonly string[]) => readonly ColumnRule[]
}

/**
 * Maps a column, given by name or by a pattern for its header, `to` one of our columns, a function that reads
 * the cells, `lost` with the reason, or `read elsewhere` if another rule reads them.
 */
export type ColumnRule = readonly [column: string | RegExp, to: Target]
type Target = ColumnName | CellReader | { readonly lost: string } | 'read elsewhere'
export type CellReader = (cell: string, out: ImportOutput, row: ForeignRow) => void

export interface ForeignRow {
  /** It is trimmed; empty if the column does not exist. */
  readonly cell: (name: string) => string
  readonly raw: (name: string) => string
}

export interface ImportOutput {
  /** Several texts of one column are joined. */
  readonly add: (field: ColumnName, text: string) => void
  /** Something could not be mapped. `what` is a fixed text or a column's name, never a cell. */
  readonly lost: (what: string, why: string) => void
  /** Something was mapped with a different meaning. */
  readonly changed: (what: string, why: string) => void
}

interface ImportedRow {
  readonly line: number
  readonly fields: Map<ColumnName, readonly string[]>
  readonly kept: readonly string[]
}

/** Reads the questions of a file in this format, or the faults of its header. */
export async function readImport(
  { title, required = [], columns: rulesFor }: Format,
  header: readonly string[],
  tableRows: AsyncIterable<TableRow>,
  nameColumn: (header: string) => string,
  messages: FileMessages,
) {
  const named = listPositions(header)
  const names = named.map(({ name }) => name)
  const keys = names.map(columnKey)
  const missing = required.filter((name) => !has(keys, name))
  const duplicates = names.filter((_, index) => keys.indexOf(keys[index] ?? '') !== index)
  const faults = duplicates.map(
    (name) => `the column ${excerpt(name)} occurs more than once; rename or delete all but one`,
  )
  if (missing.length > 0)
    faults.push(
      `${title} needs ${excerptList(missing)} (found: ${excerptList(names)}); rename the columns, or ` +
        'leave out --format',
    )
  if (faults.length > 0) return { faults }

  const rules = rulesFor(names)
  const positions = named.map(({ name, index }) => ({ name, index, to: findTarget(name, rules) }))
  const columns = positions.flatMap(({ index, to = null }) =>
    to === null || (typeof to === 'string' && to !== 'read elsewhere') ? [{ index, column: to }] : [],
  )
  const kept = positions.filter(({ to }) => to === undefined)
  const imported: ImportedRow[] = []
  const changes = new Map<string, Change>()
  const headers: { message?: string } = {}
  for await (const { cells, line } of tableRows) {
    const raw = (name: string): string => cells[named[keys.indexOf(columnKey(name))]?.index ?? -1] ?? ''
    const row: ForeignRow = { raw, cell: (name) => raw(name).trim() }
    const fields = new Map<ColumnName, readonly string[]>()
    const count = (what: string, why: string, isLost: boolean): void => {
      const change = changes.get(what) ?? { what, why, line, isLost, count: 0 }
      changes.set(what, change)
      change.count += 1
    }
    const out: ImportOutput = {
      add: (field, text) => {
        if (text.trim() !== '') fields.set(field, [...(fields.get(field) ?? []), text.trim()])
      },
      lost: (what, why) => count(what, why, true),
      changed: (what, why) => count(what, why, false),
    }
    imported.push({ line, fields, kept: kept.map(({ index }) => cells[index] ?? '') })
    for (const { name, index, to } of positions) {
      const cell = cells[index]?.trim() ?? ''
      if (cell === '' || to === undefined || to === 'read elsewhere') continue
      const isEmpty = !fields.has('message')
      if (typeof to === 'function') to(cell, out, row)
      else if (typeof to === 'object') out.lost(name.replace(/_?\d+$/, ''), to.lost)
      else out.add(to, cell)
      if (isEmpty && fields.has('message')) headers.message ??= name
    }
  }
  const used = COLUMN_NAMES.filter((name) => imported.some(({ fields }) => fields.has(name)))
  report(title, imported, changes, messages)
  const carried = used.filter(isCarried).map((field) => [nameColumn(field), field] as const)
  const keptNames = kept.map(({ name }) => nameColumn(name.replace(/^__(?:metadata:)?/i, '')))
  const rows = imported.map((row): QuestionRow => {
    const fields = Object.fromEntries(
      Array.from(row.fields, ([name, texts]) => [name, JOINERS[name]?.(texts) ?? texts.join('\n')]),
    ) as Partial<Record<ColumnName, string>>
    const cells = Object.fromEntries([
      ...carried.map(([name, field]) => [name, fields[field] ?? '']),
      ...keptNames.map((name, index) => [name, row.kept[index] ?? '']),
    ]) as Record<string, string>
    return readRow({ line: row.line, headers, fields, cells }, messages)
  })
  // The tool may number turns differently.
  return { rows, columns, mayHaveGaps: true }
}

/** Undefined means that the column is copied under its own name. */
function findTarget(header: string, rules: readonly ColumnRule[]): Target | undefined {
  const rule = rules.find(([column]) =>
    typeof column === 'string' ? columnKey(column) === columnKey(header) : column.test(header),
  )
  const own = findColumn(header)
  const lost = { lost: 'the format has no expectation of this name; rename it to keep it' }
  return rule?.[1] ?? (own?.isOwn === true ? own.name : isLikeExpectation(header) ? lost : undefined)
}

/** Line breaks join the texts of other columns. */
const JOINERS: Partial<Record<ColumnName, (texts: readonly string[]) => string>> = {
  tags: (texts) => texts.join(';'),
  expect_contains: (texts) => texts.join('|'),
  expect_not_contains: (texts) => texts.join('|'),
  expect_regex: (texts) =>
    texts.length === 1 ? (texts[0] ?? '') : `^${texts.map((text) => `(?=[\\s\\S]*(?:${text}))`).join('')}`,
  max_latency_ms: (texts) => String(Math.min(...texts.map(Number))),
}

interface Change {
  readonly what: string
  readonly why: string
  /** It is the first such line. */
  readonly line: number
  readonly isLost: boolean
  count: number
}

/** Warns with one line of counts, then one line for each kind of loss or change, with its reason. */
function report(
  title: string,
  rows: readonly ImportedRow[],
  changes: ReadonlyMap<string, Change>,
  { warn }: FileMessages,
): void {
  const mapped = COLUMN_NAMES.filter((name) => /^(?:expect_|tags$|max_latency_ms$)/.test(name)).flatMap(
    (name) => {
      const count = rows.filter(({ fields }) => fields.has(name)).length
      return count === 0 ? [] : [`${name} ${digits(count)}`]
    },
  )
  const lost = [...changes.values()]
    .filter(({ isLost }) => isLost)
    .map(({ what, count }) => `${what} ${digits(count)}`)
  const parts = [
    `read as ${title}: ${plural(rows.length, 'question')}`,
    ...(mapped.length === 0 ? [] : [`mapped: ${mapped.join(', ')}`]),
    ...(lost.length === 0 ? [] : [`lost: ${lost.join(', ')}`]),
  ]
  warn({ message: parts.join('; ') })
  for (const { what, why, line, count } of changes.values())
    warn({ line, message: `${what} (${digits(count)}): ${why}` })
}

export const escapePhrase = (text: string): string => text.replaceAll(/[\\|]/g, String.raw`\$&`)

export const escapeRegex = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

export const has = (keys: readonly string[], ...names: readonly string[]): boolean =>
  names.every((name) => keys.includes(columnKey(name)))

export const matches = (
  keys: readonly string[],
  needed: readonly string[],
  allowed: readonly string[] = [],
): boolean => {
  const known = [...needed, ...allowed].map(columnKey)
  return has(keys, ...needed) && keys.every((key) => known.includes(key))
}
