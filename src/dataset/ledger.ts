// Reads an organization's usage export: CSV, a workbook, or a JSON array of objects.
import { digits } from '../domain/format.ts'
import type { LedgerEntry } from '../domain/quota.ts'
import { columnKey, findHeaders } from './columns.ts'
import { collectMessages, type FileMessages } from './messages.ts'
import { readYesNo } from './row.ts'
import { openTable, type Table } from './table.ts'

/** Names are by `columnKey`, in order of preference. */
const COLUMNS = {
  time: ['timestamp', 'createdat', 'created', 'datetime', 'at', 'time', 'date', 'occurredat', 'requestedat'],
  conversationId: ['conversationid', 'conversation', 'threadid', 'sessionid'],
  endUserRef: ['enduserref', 'enduserid', 'enduser', 'userref'],
  count: ['count', 'calls', 'requests', 'quantity', 'callcount', 'numberofcalls', 'totalcalls'],
  /** Rows with `false`, `no`, `0` and the like are ignored. */
  counted: ['counted', 'billable', 'billed'],
} as const
type Column = keyof typeof COLUMNS

const NEEDED = 'export one row for each call, with its time (2026-11-20T12:31:05Z) or its conversationId'

/** Never throws: a file that cannot be read is a fault. */
export async function readLedger(path: string) {
  const messages = collectMessages(path)
  const known: readonly string[] = [...COLUMNS.time, ...COLUMNS.conversationId, ...COLUMNS.endUserRef]
  const isHeader = (names: readonly string[]): boolean =>
    names.map(withoutZone).some((name) => known.includes(columnKey(name)))
  const table = await openTable(path, messages, { isHeader, json: NEEDED })
  const entries = table === undefined ? [] : await readEntries(table, messages)
  return { entries, faults: messages.faults(), warnings: messages.warnings() }
}

/** `Time (UTC)` and `created_at_utc` name the time. */
const withoutZone = (name: string): string => name.replace(/[\s_(]*(?:UTC|GMT)\W*$/i, '').trim()

async function readEntries({ header, rows }: Table, messages: FileMessages): Promise<LedgerEntry[]> {
  const { fail, warn } = messages
  const names = header.names.map(withoutZone)
  const columns = findHeaders(names, COLUMNS)
  const nameOf = (column: Column): string => names[columns.get(column) ?? -1] ?? ''
  if (!columns.has('time') && !columns.has('conversationId') && !columns.has('endUserRef')) {
    const found = names.filter((name) => name !== '').join(', ')
    fail({ message: `no column has a time or an id (found: ${found || 'nothing'}); ${NEEDED}` })
    return []
  }
  // A total belongs to no call. One fault is enough: most rows of such a file are totals.
  let hasTotals = false
  const rejectTotal = (line: number, what: string): void => {
    if (!hasTotals) fail({ line, message: `${what}: these are totals; ${NEEDED}` })
    hasTotals = true
  }
  const entries: LedgerEntry[] = []
  const isUtc = header.names.some((name) => name.trim() !== withoutZone(name))
  const local: number[] = []
  for await (const { line, cells } of rows) {
    const cell = (column: Column): string => (cells[columns.get(column) ?? -1] ?? '').trim()
    const at = cell('time') === '' ? undefined : readTime(cell('time'))
    // `1.000` may be a thousand.
    const count =
      cell('count') === '' ? 1 : /^\d+(?:\.0{1,2})?$/.test(cell('count')) ? Number(cell('count')) : NaN
    const conversationId = cell('conversationId') || undefined
    if (Number.isNaN(count))
      fail({ line, message: `${nameOf('count')} "${cell('count')}" is not a whole number of calls` })
    else if (conversationId === undefined && count > 1) rejectTotal(line, `the row counts ${count} calls`)
    else if (conversationId === undefined && isPeriod(cell('time')))
      rejectTotal(line, `${nameOf('time')} "${cell('time')}" has no time of day`)
    else if (Number.isNaN(at)) {
      const what = 'is not a time; write it like 2026-11-20T12:31:05Z'
      fail({ line, message: `${nameOf('time')} "${cell('time')}" ${what}` })
    } else if (count > 0 && readYesNo(cell('counted')) !== false) {
      if (!isUtc && conversationId === undefined && LOCAL.test(cell('time'))) local.push(line)
      const row = JSON.stringify(cells.flatMap((text, index) => (text === '' ? [] : [[names[index], text]])))
      entries.push({ at, count, conversationId, endUserRef: cell('endUserRef') || undefined, row })
    }
  }
  const [line] = local
  if (line !== undefined)
    warn({
      line,
      message:
        `times without a zone are read as UTC: ${digits(local.length)}; if they are local, write the zone: ` +
        '2026-11-20T13:31:05+01:00',
    })
  return entries
}

/** A day, a week or a month has digits, but no time of day and no epoch time. */
const isPeriod = (text: string): boolean =>
  /\d/.test(text) && !/:|T\d|^\d{10}(?:\d{3})?(?:\.\d+)?$/.test(text)

const LOCAL = /:\d\d(?:\.\d+)?$(?<![+-]\d\d:\d\d)/

/** Reads ISO 8601 (UTC if without a zone), epoch seconds or milliseconds; NaN if invalid. */
function readTime(text: string): number {
  if (/^\d{10}(\.\d+)?$/.test(text)) return Number(text) * 1000
  if (/^\d{13}(\.\d+)?$/.test(text)) return Number(text)
  const [, date = '', time = '00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?$/.exec(
      text,
    ) ?? []
  return Date.parse(`${date}T${time.replace(/^\d:/, '0$&')}${zone.replace(/[A-Z]+/, 'Z')}`)
}
