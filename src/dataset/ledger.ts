// A usage export: CSV, a JSON array of objects, or a JSON object a line. Columns are known by their names.
import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse'
import * as z from 'zod'
import type { LedgerEntry } from '../domain/quota.ts'
import { columnKey } from './columns.ts'
import type { Fault } from './remarks.ts'

/** By `columnKey`, the likeliest first. */
const COLUMNS = {
  time: ['timestamp', 'createdat', 'created', 'datetime', 'at', 'time', 'date', 'occurredat', 'requestedat'],
  conversationId: ['conversationid', 'conversation', 'threadid', 'sessionid'],
  endUserRef: ['enduserref', 'enduserid', 'enduser', 'userref'],
  count: ['count', 'calls', 'requests', 'quantity'],
  /** Whether the row counts at all. */
  counted: ['counted', 'billable', 'billed'],
} as const
type Column = keyof typeof COLUMNS

export interface LedgerReading {
  readonly entries: readonly LedgerEntry[]
  /** In the order of the rows. */
  readonly faults: readonly Fault[]
}

/** Nothing is thrown: a file that cannot be read is a fault. */
export async function readLedger(path: string): Promise<LedgerReading> {
  let rows: readonly Row[]
  try {
    const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
    rows = /^\s*[[{]/.test(text) ? readJson(text) : await readCsv(text)
  } catch (error) {
    const message = `cannot be read as CSV or JSON (${error instanceof Error ? error.message : String(error)})`
    return { entries: [], faults: [{ file: path, message }] }
  }
  const names = [...new Set(rows.flatMap(({ cells }) => Object.keys(cells)))]
  const columns = Object.fromEntries(
    Object.entries(COLUMNS).map(([column, known]) => [column, findColumn(names, known)]),
  ) as Record<Column, string | undefined>
  if (columns.time === undefined && columns.conversationId === undefined && columns.endUserRef === undefined)
    return {
      entries: [],
      faults: [
        { file: path, message: `no column holds a time or an id (found: ${names.join(', ') || 'nothing'})` },
      ],
    }
  const entries: LedgerEntry[] = []
  const faults: Fault[] = []
  for (const { line, cells } of rows) {
    const cell = (column: Column): string => {
      const name = columns[column]
      const value = name === undefined ? undefined : cells[name]
      const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      return isText ? String(value).trim() : ''
    }
    const fail = (column: Column, what: string): void =>
      void faults.push({ file: path, line, message: `${columns[column]} "${cell(column)}" is no ${what}` })
    const at = cell('time') === '' ? undefined : readTime(cell('time'))
    const count = cell('count') === '' ? 1 : Number(cell('count'))
    if (Number.isNaN(at)) fail('time', 'time; write it like 2026-11-20T12:31:05Z')
    else if (!Number.isInteger(count) || count < 0) fail('count', 'whole number of calls')
    else if (count > 0 && !/^(false|no|0)$/i.test(cell('counted')))
      entries.push({
        at,
        count,
        conversationId: cell('conversationId') || undefined,
        endUserRef: cell('endUserRef') || undefined,
      })
  }
  return { entries, faults }
}

interface Row {
  readonly line: number
  readonly cells: Readonly<Record<string, unknown>>
}

async function readCsv(text: string): Promise<Row[]> {
  const [header = ''] = text.split('\n', 1)
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: header.split(sign).length }))
  const delimiter = counts.reduce((most, one) => (one.count > most.count ? one : most)).sign
  const parser = parse(text, { columns: true, delimiter, info: true, skip_empty_lines: true })
  const records = (await parser.toArray()) as { info: { lines: number }; record: Record<string, unknown> }[]
  return records.map(({ info, record }) => ({ line: info.lines, cells: record }))
}

const object = z.record(z.string(), z.unknown())
/** An array of rows, bare or as the one list of an object. */
const whole = z.preprocess(
  (value) => (Array.isArray(value) ? value : Object.values(value ?? {}).find((one) => Array.isArray(one))),
  z.array(object),
)
/** Whether the first line is a whole object of its own, with others behind it. */
const isLines = (text: string): boolean => /^\s*\{[^\n]*\}\s*\n\s*\{/.test(text)

function readJson(text: string): Row[] {
  const values = isLines(text)
    ? text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => object.parse(JSON.parse(line)))
    : whole.parse(JSON.parse(text))
  return values.map((cells, place) => ({ line: place + 1, cells }))
}

function findColumn(names: readonly string[], known: readonly string[]): string | undefined {
  const keys = names.map(columnKey)
  return known.map((one) => names[keys.indexOf(one)]).find((name) => name !== undefined)
}

/** ISO 8601, taken as UTC where it names no zone; or epoch seconds or milliseconds. NaN where it is none. */
function readTime(text: string): number {
  if (/^\d{10}(\.\d+)?$/.test(text)) return Number(text) * 1000
  if (/^\d{13}(\.\d+)?$/.test(text)) return Number(text)
  const iso = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|[+-]\d\d:?\d\d)?)?$/.exec(text)
  return iso === null ? NaN : Date.parse(`${iso[1]}T${iso[2] ?? '00:00'}${iso[3] ?? 'Z'}`)
}
