// Reads a list that another program exported: a table, or JSON with a list of objects. Its rows have texts by
// the names of their columns.
import { readFile } from 'node:fs/promises'
import { createRenamer, type Renamer } from './columns.ts'
import type { FileMessages } from './messages.ts'
import type { IsHeader } from './records.ts'
import { readTable } from './table.ts'
import { decodeText, describeFileError } from './text.ts'
import { findWorkbook } from './workbook/address.ts'

export interface ListRow {
  /** As in `TableRecord`; of JSON, the number of the object, from 1. */
  readonly line: number
  /** Where it stands, for people: `export.csv:12`, `export.json, entry 3`. */
  readonly place: string
  readonly cells: ReadonlyMap<string, string>
}

export interface List {
  readonly names: readonly string[]
  readonly rows: readonly ListRow[]
}

/** Undefined after reporting a file that cannot be read. Reports and skips faulty rows. */
export async function readList(
  path: string,
  messages: FileMessages,
  {
    needed,
    renamer = createRenamer([]),
    isHeader,
  }: { readonly needed: string; readonly renamer?: Renamer; readonly isHeader?: IsHeader },
): Promise<List | undefined> {
  try {
    const text = findWorkbook(path) === undefined ? await decodeText(await readFile(path)) : ''
    if (/^\s*[[{]/.test(text)) {
      const list = listOf(JSON.parse(text), path, renamer)
      if (list === undefined) messages.fail({ message: `this JSON holds no list of objects; ${needed}` })
      return list
    }
  } catch (error) {
    const message = describeFileError(error) ?? `this is not JSON (${(error as Error).message})`
    messages.fail({ message })
    return undefined
  }
  let names: readonly string[] = []
  const rows: ListRow[] = []
  const table = await readTable(
    path,
    messages,
    (header) => {
      names = renamer.renameHeader(header.cells).map((name) => name.trim())
      return ({ line, cells }) => {
        const named = names.map((name, index) => [name, (cells[index] ?? '').trim()] as const)
        // Of two columns of one name, the first counts.
        rows.push({ line, place: messages.place(line), cells: new Map(named.toReversed()) })
      }
    },
    isHeader,
  )
  return table && { names: names.filter((name) => name !== ''), rows }
}

const isRow = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.some(isRow)

function listOf(value: unknown, path: string, renamer: Renamer): List | undefined {
  const list = isRow(value) ? Object.values(value).find(isList) : value
  if (!isList(list)) return undefined
  const keys = [...new Set(list.filter(isRow).flatMap((row) => Object.keys(row)))]
  const names = renamer.renameHeader(keys)
  const nameOf = new Map(keys.map((key, index) => [key, names[index] ?? key]))
  const rows = list.map((row, index) => ({
    line: index + 1,
    place: `${path}, entry ${index + 1}`,
    cells: new Map(
      Object.entries(isRow(row) ? row : {}).map(([key, one]) => [nameOf.get(key) ?? key, textOf(one)]),
    ),
  }))
  return { names: [...new Set(names)], rows }
}

/** Confluence and WordPress wrap texts: `{ "storage": { "value": "<p>…" } }`, `{ "rendered": "<p>…" }`. */
const WRAPPERS = ['rendered', 'storage', 'view', 'value']

function textOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value).trim()
  const inner = isRow(value) ? WRAPPERS.find((key) => key in value) : undefined
  return inner === undefined || !isRow(value) ? '' : textOf(value[inner])
}
