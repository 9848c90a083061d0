// Reads JSON with a list of records as a table: a column for each of their keys that holds texts or numbers.
import { excerptList, type FileMessages } from './messages.ts'
import { choosePart, type IsHeader, type Part, type SourceRecord, type TableSource } from './source.ts'
import type { FileText } from './text.ts'

/** A file with another name may be a table whose first header is in brackets. */
export const isJson = (path: string, start: string): boolean =>
  /^\s*(?:\[\s*\{|\{\s*")/.test(start) || (/\.(?:json|jsonl|ndjson)$/i.test(path) && /^\s*[[{]/.test(start))

export async function openJson(
  { digest, encoding, chunks }: FileText,
  messages: FileMessages,
  isHeader: IsHeader,
  needed: string,
): Promise<TableSource | undefined> {
  const pieces: Buffer[] = []
  for await (const piece of chunks()) pieces.push(piece)
  try {
    const value = parse(new TextDecoder().decode(Buffer.concat(pieces)))
    // Exports of a help center have lists of sections and people beside their articles.
    const parts = listsIn(value)
      .map(toPart)
      .toSorted((a, b) => Number(MAIN.test(b.name)) - Number(MAIN.test(a.name)) || b.size - a.size)
    const chosen = await choosePart(parts, isHeader, 0)
    if (chosen !== undefined) {
      const { part, head, others } = chosen
      messages.countEntries()
      const file = { digest, encoding, delimiter: 'JSON' }
      const unread =
        others.length === 0
          ? undefined
          : `lists with such keys that are not read: ${excerptList(others.map(({ name }) => name))}`
      return { file, head, unread, namelessHint: '', records: part.records }
    }
    messages.fail({ message: `this JSON holds no list of objects; ${needed}` })
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    messages.fail({ message: `this is not JSON (${error.message})` })
  }
  return undefined
}

/** Reads JSON, or a line for each record. Throws SyntaxError. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    if (lines.length < 2 || !lines.every((line) => /^\s*\{.*\}\s*$/.test(line))) throw error
    return lines.map((line): unknown => JSON.parse(line))
  }
}

interface List {
  readonly name: string
  readonly objects: readonly Readonly<Record<string, unknown>>[]
}

/** Lists may stand within objects: `{ "data": { "articles": […] } }`. */
function listsIn(value: unknown, name = '', depth = 0): List[] {
  if (Array.isArray(value))
    return value.some(isObject) ? [{ name, objects: value.map((item) => (isObject(item) ? item : {})) }] : []
  if (!isObject(value) || depth > MAX_DEPTH) return []
  return Object.entries(value).flatMap(([key, inner]) => listsIn(inner, key, depth + 1))
}

const MAX_DEPTH = 3
const MAIN = /^(?:articles|tickets|conversations|questions|results|items|records|issues|pages|data|)$/i

function toPart({ name, objects }: List): Part & { readonly size: number } {
  const keys = [...new Set(objects.flatMap(Object.keys))].filter((key) => key.trim() !== '')
  const header = keys.filter((key) => objects.some((object) => textOf(object[key]) !== undefined))
  const table = [header, ...objects.map((object) => header.map((key) => textOf(object[key]) ?? ''))]
  const records = table.map((cells, line): SourceRecord => ({ kind: 'row', cells, line }))
  return { name, size: table.flat().join('').length, records: () => (header.length === 0 ? [] : records) }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Confluence and WordPress wrap texts: `{ "storage": { "value": "<p>…" } }`, `{ "rendered": "<p>…" }`. */
const WRAPPERS = ['rendered', 'storage', 'view', 'value']

/** Undefined for what is no text: a record in a record, or a list of them. Texts of a list are joined. */
function textOf(value: unknown): string | undefined {
  if (value === null) return ''
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value).trim()
  if (Array.isArray(value)) {
    const texts = value.map((item) => textOf(isObject(item) ? item['name'] : item))
    return texts.includes(undefined) ? undefined : texts.join(';')
  }
  const key = isObject(value) ? WRAPPERS.find((wrapper) => wrapper in value) : undefined
  return key === undefined || !isObject(value) ? undefined : textOf(value[key])
}
