// Reads JSON with a list of objects as a table: a column for each of their keys.
import type { FileMessages } from './messages.ts'
import type { SourceRecord, TableSource } from './source.ts'
import type { FileText } from './text.ts'

/** Returns undefined after reporting other JSON: `needed` says what to write instead. */
export async function openJson(
  { digest, encoding, chunks }: FileText,
  messages: FileMessages,
  needed: string,
): Promise<TableSource | undefined> {
  const pieces: Buffer[] = []
  for await (const piece of chunks()) pieces.push(piece)
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(Buffer.concat(pieces)))
    const list = isObject(value) ? Object.values(value).find(isList) : value
    if (isList(list)) {
      const objects = list.map((item) => (isObject(item) ? item : {}))
      const header = [...new Set(objects.flatMap(Object.keys))].filter((key) => key.trim() !== '')
      const rows = objects.map((object) => header.map((key) => textOf(object[key])))
      const records = [header, ...rows].map((cells, line): SourceRecord => ({ kind: 'row', cells, line }))
      messages.countEntries()
      const file = { digest, encoding, delimiter: '' }
      const head = { isFound: true, titles: 0, header: records[0], sample: rows.slice(0, 20) }
      return { file, head, namelessHint: '', records: () => records }
    }
    messages.fail({ message: `this JSON holds no list of objects; ${needed}` })
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    messages.fail({ message: `this is not JSON (${error.message})` })
  }
  return undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.some(isObject)

/** Confluence and WordPress wrap texts: `{ "storage": { "value": "<p>…" } }`, `{ "rendered": "<p>…" }`. */
const WRAPPERS = ['rendered', 'storage', 'view', 'value']

function textOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value).trim()
  const key = isObject(value) ? WRAPPERS.find((wrapper) => wrapper in value) : undefined
  return key === undefined || !isObject(value) ? '' : textOf(value[key])
}
