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
/** The `cellOf` gives another cell of the row as written, empty if there is no such column. */
export type CellReader = (cell: string, out: ImportOutput, cellOf: (name: string) => string) => void

export interface ImportOutput {
  /** Several texts of one column are joined. */
  readonly add: (field: ColumnName, text: string) => void
  /** Something could not be mapped. `what` is a fixed text or a column's name, never a cell. */
  readonly lost: (what: string, why: string) => void
  /** Something was mapped with a different meaning. */
  readonly changed: (what: string, why: string) => void
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
  const faults = headerFaults(names, title, required)
  if (faults.length > 0) return { faults }
  const rules = rulesFor(names)
  const positions = named.map(({ name, index }) => ({ name, index, to: findTarget(name, rules) }))
  const columns = positions.flatMap(({ index, to = null }) =>
    to === null || (typeof to === 'string' && to !== 'read elsewhere') ? [{ index, column: to }] : [],
  )
  const kept = positions.filter(({ to }) => to === undefined)
  const imported: { line: number; fields: Map<ColumnName, string[]>; kept: string[] }[] = []
  const changes = new Map<string, Change>()
  const headers: { message?: string } = {}
  for await (const { cells, line } of tableRows) {
    const fields = new Map<ColumnName, string[]>()
    const note = (isLost: boolean) => (what: string, why: string) => {
      const { count } = changes.get(what) ?? { count: 0 }
      changes.set(what, { line, ...changes.get(what), why, isLost, count: count + 1 })
    }
    const add: ImportOutput['add'] = (field, text) => {
      if (text.trim() !== '') fields.set(field, [...(fields.get(field) ?? []), text.trim()])
    }
    const out: ImportOutput = { add, lost: note(true), changed: note(false) }
    const cellOf = (name: string) => cells[named[keys.indexOf(columnKey(name))]?.index ?? -1] ?? ''
    for (const { name, index, to } of positions) {
      const cell = cells[index]?.trim() ?? ''
      if (cell === '' || to === undefined || to === 'read elsewhere') continue
      const isEmpty = !fields.has('message')
      if (typeof to === 'function') to(cell, out, cellOf)
      else if (typeof to === 'object') out.lost(name.replace(/_?\d+$/, ''), to.lost)
      else add(to, cell)
      if (isEmpty && fields.has('message')) headers.message ??= name
    }
    imported.push({ line, fields, kept: kept.map(({ index }) => cells[index] ?? '') })
  }
  const countOf = (name: ColumnName): number => imported.filter(({ fields }) => fields.has(name)).length
  const used = COLUMN_NAMES.filter((name) => countOf(name) > 0)
  // One line of counts, then one for each kind of loss or change.
  const mapped = used.filter((name) => /^(?:expect_|tags$|max_latency_ms$)/.test(name))
  const parts = [
    `read as ${title}: ${plural(imported.length, 'question')}`,
    listOf(
      'mapped',
      mapped.map((name) => [name, countOf(name)]),
    ),
    listOf(
      'lost',
      [...changes].flatMap(([what, { isLost, count }]) => (isLost ? [[what, count]] : [])),
    ),
  ]
  messages.warn({ message: parts.filter((part) => part !== '').join('; ') })
  for (const [what, { why, line, count }] of changes)
    messages.warn({ line, message: `${what} (${digits(count)}): ${why}` })
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

function headerFaults(names: readonly string[], title: string, required: readonly string[]): string[] {
  const keys = names.map(columnKey)
  const missing = required.filter((name) => !has(keys, name))
  const faults = names
    .filter((_, index) => keys.indexOf(keys[index] ?? '') !== index)
    .map((name) => `the column ${excerpt(name)} occurs more than once; rename or delete all but one`)
  if (missing.length === 0) return faults
  const found = `(found: ${excerptList(names)})`
  return [
    ...faults,
    `${title} needs ${excerptList(missing)} ${found}; rename the columns, or leave out --format`,
  ]
}

interface Change {
  /** It is the first such line. */
  readonly line: number
  readonly why: string
  readonly isLost: boolean
  readonly count: number
}

const listOf = (title: string, counts: (readonly [string, number])[]): string =>
  counts.length === 0
    ? ''
    : `${title}: ${counts.map(([what, count]) => `${what} ${digits(count)}`).join(', ')}`

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

export const escapePhrase = (text: string): string => text.replaceAll(/[\\|]/g, String.raw`\$&`)

export const escapeRegex = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

export const has = (keys: readonly string[], ...names: readonly string[]): boolean =>
  names.every((name) => keys.includes(columnKey(name)))

export const matches = (keys: readonly string[], needed: readonly string[]): boolean =>
  has(keys, ...needed) && keys.every((key) => needed.map(columnKey).includes(key))
