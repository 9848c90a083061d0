// Reads an organization's usage export: CSV, a workbook, or a JSON array of objects.
import type { LedgerEntry } from '../domain/quota.ts'
import { columnKey, findHeaders } from './columns.ts'
import { type List, readList } from './list.ts'
import { collectMessages, type Fault, type FileMessages } from './messages.ts'

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

/** Never throws: a file that cannot be read is a fault. */
export async function readLedger(path: string): Promise<LedgerReading> {
  const messages = collectMessages(path)
  const known: readonly string[] = [...COLUMNS.time, ...COLUMNS.conversationId, ...COLUMNS.endUserRef]
  const list = await readList(path, messages, {
    needed: NEEDED,
    isHeader: (cells) => cells.some((cell) => known.includes(columnKey(cell))),
  })
  const isRead = list !== undefined && messages.faults().length === 0
  return { entries: isRead ? readEntries(list, messages) : [], faults: messages.faults() }
}

function readEntries({ names, rows }: List, { fail }: FileMessages): LedgerEntry[] {
  const found = findHeaders(names, COLUMNS)
  const nameOf = (column: Column): string => names[found.get(column) ?? -1] ?? ''
  if (!['time', 'conversationId', 'endUserRef'].some((column) => found.has(column as Column))) {
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
    const cell = (column: Column): string => cells.get(nameOf(column)) ?? ''
    const wrong = (column: Column, what: string): [] => {
      fail({ line, message: `${nameOf(column)} "${cell(column)}" is not a ${what}` })
      return []
    }
    const at = cell('time') === '' ? undefined : readTime(cell('time'))
    const count = cell('count') === '' ? 1 : Number(cell('count'))
    if (!Number.isInteger(count) || count < 0) return wrong('count', 'whole number of calls')
    const conversationId = cell('conversationId') || undefined
    if (conversationId === undefined && count > 1) return rejectTotal(line, `the row counts ${count} calls`)
    if (conversationId === undefined && isPeriod(cell('time')))
      return rejectTotal(line, `${nameOf('time')} "${cell('time')}" has no time of day`)
    if (Number.isNaN(at)) return wrong('time', 'time; write it like 2026-11-20T12:31:05Z')
    if (count === 0 || /^(false|no|0)$/i.test(cell('counted'))) return []
    const endUserRef = cell('endUserRef') || undefined
    return [{ at, count, conversationId, endUserRef, row: JSON.stringify([...cells]) }]
  })
  const isRound = ({ at, conversationId }: LedgerEntry): boolean =>
    at !== undefined && at % ROUND_MS === 0 && conversationId === undefined
  if (entries.length > 1 && entries.every(isRound))
    rejectTotal(undefined, `every ${nameOf('time')} is on a quarter of an hour`)
  return entries
}

/** Calls do not all begin on a quarter of an hour; periods do, in every time zone. */
const ROUND_MS = 15 * 60_000

/** A day, a week, a month: digits, but no time of day and no epoch time. */
const isPeriod = (text: string): boolean =>
  /\d/.test(text) && !/:|T\d|^\d{10}(?:\d{3})?(?:\.\d+)?$/.test(text)

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
