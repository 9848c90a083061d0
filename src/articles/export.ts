// Reads the rows of an export of articles: CSV, a workbook, or JSON with a list of objects.
import { readFile } from 'node:fs/promises'
import { columnKey, createRenamer, type Renamer } from '../dataset/columns.ts'
import { collectMessages, excerptList, formatFault } from '../dataset/messages.ts'
import { readTable } from '../dataset/table.ts'
import { decodeText } from '../dataset/text.ts'
import { findWorkbook } from '../dataset/workbook/address.ts'
import type { Parsed } from './article.ts'
import { isHtml, parseHtml } from './html.ts'
import { splitSections } from './markdown.ts'

/** Accepted names by `columnKey`, in order of preference. */
const COLUMNS = {
  title: ['title', 'name', 'subject', 'question'],
  body: ['body', 'content', 'text', 'description', 'answer'],
  id: ['id'],
  url: ['url', 'htmlurl'],
  language: ['language', 'locale', 'lang'],
  status: ['status', 'state'],
  draft: ['draft'],
} as const
type Column = keyof typeof COLUMNS

/** Columns by name, with the keys of their headers in the file. */
type Found = Readonly<Partial<Record<Column, string>>>

interface Table {
  readonly names: readonly string[]
  readonly rows: readonly {
    /** `export.csv:12`. */
    readonly place: string
    readonly cells: Readonly<Record<string, unknown>>
  }[]
  /** Rows that could not be read, with the reason. */
  readonly faults: readonly string[]
  readonly notes: readonly string[]
}

/** By extension. Throws what is wrong with the file. */
const READERS: Readonly<Record<string, (path: string, renamer: Renamer) => Promise<Table>>> = {
  csv: readTabular,
  xlsx: readTabular,
  json: readJsonTable,
}

const extensionOf = (path: string): string =>
  findWorkbook(path) === undefined ? (/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '') : 'xlsx'

/** By the extension of its path. */
export const isExport = (path: string): boolean => extensionOf(path) in READERS

/** The rows of an export, in order. */
export interface Export {
  readonly rows: readonly { readonly place: string; readonly parsed: Parsed }[]
  readonly unread: readonly string[]
  readonly notes: readonly string[]
}

/** `column`: values of `--column`, such as `title=Betreff`. Throws what is wrong with the file. */
export async function readExport(path: string, column: readonly string[]): Promise<Export> {
  const renamer = createRenamer(column.filter((one) => one.slice(0, one.indexOf('=')) in COLUMNS))
  const table = await READERS[extensionOf(path)]?.(path, renamer)
  if (table === undefined) throw new Error('this is no export of articles')
  const { names, faults, notes } = table
  const [missing] = renamer.missing()
  if (missing !== undefined)
    throw new Error(`no column is called so: --column ${missing} (found: ${excerptList(names)})`)
  const columns = findColumns(names)
  for (const one of ['title', 'body'] as const)
    if (columns[one] === undefined) {
      const found = names.length === 0 ? 'nothing' : excerptList(names)
      throw new Error(`no ${one} column (found: ${found}); name it: --column ${one}=…`)
    }
  const rows = table.rows.map(({ place, cells }) => ({ place, parsed: readCells(cells, columns) }))
  return { rows, unread: faults, notes }
}

function findColumns(names: readonly string[]): Found {
  const byKey = new Map(names.toReversed().map((name) => [columnKey(name), name]))
  const entries = Object.entries(COLUMNS).flatMap(([column, keys]) => {
    const name = keys.map((key) => byKey.get(key)).find((one) => one !== undefined)
    return name === undefined ? [] : [[column, name]]
  })
  return Object.fromEntries(entries) as Found
}

function readCells(cells: Readonly<Record<string, unknown>>, columns: Found): Parsed {
  const cell = (column: Column): string | undefined => {
    const value = plainValue(cells[columns[column] ?? ''])
    return (value === undefined ? '' : String(value).trim()) || undefined
  }
  const body = cell('body') ?? ''
  return {
    title: cell('title'),
    id: cell('id'),
    url: cell('url'),
    language: cell('language'),
    status: /^(?:true|yes|1)$/i.test(cell('draft') ?? '') ? 'draft' : cell('status'),
    sections: isHtml(body) ? parseHtml(body).sections : splitSections(body),
  }
}

/** Confluence and WordPress wrap texts: `{ "storage": { "value": "<p>…" } }`, `{ "rendered": "<p>…" }`. */
const WRAPPERS = ['rendered', 'storage', 'view', 'value']

function plainValue(value: unknown): string | number | boolean | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return isRow(value)
    ? WRAPPERS.map((key) => plainValue(value[key])).find((one) => one !== undefined)
    : undefined
}

async function readTabular(path: string, renamer: Renamer): Promise<Table> {
  const messages = collectMessages(path)
  let names: readonly string[] = []
  const rows: { place: string; cells: Record<string, unknown> }[] = []
  const table = await readTable(path, messages, (header) => {
    names = renamer.renameHeader(header.cells)
    return ({ line, cells }) => {
      const named = names.map((name, index) => [name, cells[index]] as const)
      rows.push({ place: messages.place(line), cells: Object.fromEntries(named.toReversed()) })
    }
  })
  const faults = messages.faults()
  if (table === undefined) throw new Error(faults[0]?.message ?? 'the file cannot be read')
  return {
    names: names.filter((name) => name.trim() !== ''),
    rows,
    faults: faults.map(formatFault),
    notes: messages.warnings(),
  }
}

type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (value: unknown): value is readonly Row[] => Array.isArray(value) && value.some(isRow)

async function readJsonTable(path: string, renamer: Renamer): Promise<Table> {
  const text = await decodeText(await readFile(path))
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`this is not JSON (${(error as Error).message})`, { cause: error })
  }
  const list = isRow(value) ? Object.values(value).find(isList) : value
  if (!isList(list)) throw new Error('this JSON holds no list of articles: [{ "title": …, "body": … }]')
  const keys = [...new Set(list.filter(isRow).flatMap((row) => Object.keys(row)))]
  const names = renamer.renameHeader(keys)
  const nameOf = new Map(keys.map((key, index) => [key, names[index] ?? key]))
  const rows = list.map((row, index) => ({
    place: `${path}, entry ${index + 1}`,
    cells: Object.fromEntries(
      Object.entries(isRow(row) ? row : {}).map(([key, one]) => [nameOf.get(key) ?? key, one]),
    ),
  }))
  return { names: [...new Set(names)], rows, faults: [], notes: [] }
}
