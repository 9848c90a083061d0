// A ledger in JSON, held whole: an array in any wrapper, or a record a line.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { cellsOf, findRecords, headerOf } from './json.ts'
import { fileOf, type ReadFile } from './read-file.ts'
import { LedgerTable, type LedgerListener, type LedgerReading } from './table.ts'

export async function readJson(
  path: string,
  number: number,
  reading: LedgerReading,
  listener: LedgerListener,
): Promise<ReadFile | undefined> {
  const bytes = await readFile(path)
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  const parsed = parse(text)
  const form = parsed === undefined ? 'ndjson' : 'json'
  const found =
    parsed === undefined
      ? parseLines(text, listener)
      : (findRecords(parsed.value) ?? { records: [parsed.value], path: '' })
  if (found === undefined) return undefined
  if (found.path !== '') listener.warn({ message: `the records under ${found.path} are read` })
  const header = headerOf(found.records)
  if (header.length === 0) {
    listener.fail({
      message: 'there is no list of records in this JSON; a ledger is an array of objects, in any wrapper',
    })
    return undefined
  }
  const table = new LedgerTable(header, reading, listener)
  for (const [at, record] of found.records.entries()) {
    if (record === undefined) continue
    const cells = cellsOf(record, header)
    if (cells === undefined)
      listener.fail({ line: at + 1, message: 'this is no object, but stands among the records' })
    else table.take(cells, at + 1)
  }
  const { entries, facts } = table.finish(number)
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  return { entries, file: fileOf(path, form, digest, facts) }
}

/** A record a line; undefined where a line is none, which is told. */
function parseLines(
  text: string,
  listener: LedgerListener,
): { records: unknown[]; path: string } | undefined {
  const lines = text.split(/\r\n|\n|\r/)
  let isWhole = true
  const records = lines.map((line, at) => {
    if (line.trim() === '') return undefined
    const parsed = parse(line)
    if (parsed === undefined) {
      isWhole = false
      listener.fail({ line: at + 1, message: 'this is neither JSON as a whole, nor a JSON record a line' })
    }
    return parsed?.value
  })
  return isWhole ? { records, path: '' } : undefined
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}
