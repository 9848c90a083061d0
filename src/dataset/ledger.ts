// Reads an organization's usage export: CSV, a workbook, or a JSON array of objects.
import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import type { LedgerEntry } from '../domain/quota.ts'
import { columnKey } from './columns.ts'
import { collectMessages, type Fault, type FileMessages } from './messages.ts'
import { readTable } from './table.ts'
import { describeFileError } from './text.ts'
import { findWorkbook } from './workbook/address.ts'

/** Accepted names by `columnKey`, in order of preference. */
const COLUMNS = {
  time: ['timestamp', 'createdat', 'created', 'datetime', 'at', 'time', 'date', 'occurredat', 'requestedat'],
  conversationId: ['conversationid', 'conversation', 'threadid', 'sessionid'],
  endUserRef: ['enduserref', 'enduserid', 'enduser', 'userref'],
  count: ['count', 'calls', 'requests', 'quantity', 'callcount', 'numberofcalls', 'totalcalls'],
  /** Rows with `false`, `no` or `0` are ignored. */
  counted: ['counted', 'billable', 'billed'],
} as const
type Column = keyof typeof COLUMNS

const NEEDED = 'export one row for each call, with its time (2026-11-20T12:31:05Z) or its conversationId'

export interface LedgerReading {
  readonly entries: readonly LedgerEntry[]
  readonly faults: readonly Fault[]
}

interface Row {
  readonly line: number
  readonly cells: Readonly<Record<string, unknown>>
}

/** Never throws: a file that cannot be read is a fault. */
export async function readLedger(path: string): Promise<LedgerReading> {
  const messages = collectMessages(path)
  let rows: readonly Row[] = []
  try {
    const isWorkbook = findWorkbook(path) !== undefined
    const text = isWorkbook ? '' : (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
    rows = /^\s*[[{]/.test(text) ? readJson(text) : await readRows(path, messages)
  } catch (error) {
    const message =
      error instanceof z.ZodError
        ? `this JSON holds no list of calls; ${NEEDED}`
        : `this is neither CSV nor JSON (${error instanceof Error ? error.message : String(error)})`
    messages.fail({ message: describeFileError(error) ?? message })
  }
  const entries = messages.faults().length === 0 ? readEntries(rows, messages) : []
  return { entries, faults: messages.faults() }
}

function readEntries(rows: readonly Row[], { fail }: FileMessages): LedgerEntry[] {
  const names = [...new Set(rows.flatMap(({ cells }) => Object.keys(cells)))]
  const keys = names.map(columnKey)
  const columns = Object.fromEntries(
    Object.entries(COLUMNS).map(([column, known]) => [
      column,
      known.map((key) => names[keys.indexOf(key)]).find((name) => name !== undefined),
    ]),
  ) as Record<Column, string | undefined>
  if ((columns.time ?? columns.conversationId ?? columns.endUserRef) === undefined) {
    fail({
      message: `no column has a time or an id (found: ${names.join(', ') || 'nothing'}); ${NEEDED}`,
    })
    return []
  }
  // A total belongs to no call. One fault is enough: most rows of such a file are totals.
  let hasTotals = false
  const rejectTotal = (line: number | undefined, what: string): [] => {
    if (!hasTotals)
      fail({ ...(line !== undefined && { line }), message: `${what}: these are totals; ${NEEDED}` })
    hasTotals = true
    return []
  }
  const entries = rows.flatMap(({ line, cells }) => {
    const cell = (column: Column): string => {
      const value = cells[columns[column] ?? '']
      const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      return isText ? String(value).trim() : ''
    }
    const wrong = (column: Column, what: string): [] => {
      fail({ line, message: `${columns[column]} "${cell(column)}" is not a ${what}` })
      return []
    }
    const at = cell('time') === '' ? undefined : readTime(cell('time'))
    const count = cell('count') === '' ? 1 : Number(cell('count'))
    if (!Number.isInteger(count) || count < 0) return wrong('count', 'whole number of calls')
    const conversationId = cell('conversationId') || undefined
    if (conversationId === undefined && count > 1) return rejectTotal(line, `the row counts ${count} calls`)
    if (conversationId === undefined && isPeriod(cell('time')))
      return rejectTotal(line, `${columns.time} "${cell('time')}" has no time of day`)
    if (Number.isNaN(at)) return wrong('time', 'time; write it like 2026-11-20T12:31:05Z')
    if (count === 0 || /^(false|no|0)$/i.test(cell('counted'))) return []
    const endUserRef = cell('endUserRef') || undefined
    return [{ at, count, conversationId, endUserRef, row: JSON.stringify(cells) }]
  })
  const isRound = ({ at, conversationId }: LedgerEntry): boolean =>
    at !== undefined && at % ROUND_MS === 0 && conversationId === undefined
  if (entries.length > 1 && entries.every(isRound))
    rejectTotal(undefined, `every ${columns.time} is on a quarter of an hour`)
  return entries
}

/** Calls do not all begin on a quarter of an hour; periods do, in every time zone. */
const ROUND_MS = 15 * 60_000

/** A day, a week, a month: digits, but no time of day and no epoch time. */
const isPeriod = (text: string): boolean =>
  /\d/.test(text) && !/:|T\d|^\d{10}(?:\d{3})?(?:\.\d+)?$/.test(text)

async function readRows(path: string, messages: FileMessages): Promise<Row[]> {
  const rows: Row[] = []
  await readTable(
    path,
    messages,
    ({ cells: names }) =>
      ({ line, cells }) => {
        rows.push({ line, cells: Object.fromEntries(names.map((name, index) => [name, cells[index]])) })
      },
    isHeader,
  )
  return rows
}

/** Whether a row names a column that tells calls apart. */
const isHeader = (cells: readonly string[]): boolean => {
  const known: readonly string[] = [...COLUMNS.time, ...COLUMNS.conversationId, ...COLUMNS.endUserRef]
  return cells.some((cell) => known.includes(columnKey(cell)))
}

/** An array of rows, or an object that contains one. */
const jsonSchema = z.preprocess(
  (value) => (Array.isArray(value) ? value : Object.values(value ?? {}).find((one) => Array.isArray(one))),
  z.array(z.record(z.string(), z.unknown())),
)

const readJson = (text: string): Row[] =>
  jsonSchema.parse(JSON.parse(text)).map((cells, index) => ({ line: index + 1, cells }))

/**
 * Epoch milliseconds from ISO 8601 (UTC if without a zone), epoch seconds or milliseconds; NaN if invalid.
 */
function readTime(text: string): number {
  if (/^\d{10}(\.\d+)?$/.test(text)) return Number(text) * 1000
  if (/^\d{13}(\.\d+)?$/.test(text)) return Number(text)
  const iso = /^(\d{4}-\d\d-\d\d)(?:[T ](\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|[+-]\d\d:?\d\d)?)?$/.exec(
    text,
  )
  return iso === null
    ? NaN
    : Date.parse(`${iso[1]}T${(iso[2] ?? '00:00').replace(/^\d:/, '0$&')}${iso[3] ?? 'Z'}`)
}
