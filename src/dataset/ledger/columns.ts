// Which column of a ledger holds what: as the options say, else by names and by what stands in the cells.
import type { LedgerRole } from '../../domain/ledger.ts'
import { columnKey } from '../columns.ts'
import { excerpt, excerptList } from '../excerpt.ts'
import { suggest } from '../suggestion.ts'
import { parseTime } from './time.ts'
import { readCounted, readCount } from './cells.ts'
import { DATE_NAMES, HOUR_NAMES, LEDGER_NAMES } from './names.ts'

/** What was said of the columns; an empty list says that there is none. */
export type ColumnWishes = Partial<Record<LedgerRole, readonly string[]>>

/** Places from 0; the time may be joined of two, the date and the hour. */
export type LedgerColumns = Partial<Record<LedgerRole, readonly number[]>>

export type ColumnFinding =
  | {
      readonly kind: 'found'
      readonly columns: LedgerColumns
      readonly guessed: readonly LedgerRole[]
    }
  | { readonly kind: 'faulty'; readonly message: string }

/** `sample`: the first rows. */
export function findLedgerColumns(
  header: readonly string[],
  sample: readonly (readonly string[])[],
  wishes: ColumnWishes,
): ColumnFinding {
  const keys = header.map(columnKey)
  const columns: LedgerColumns = {}
  const guessed: LedgerRole[] = []
  const values = (place: number): string[] =>
    sample.map((row) => row[place]?.trim() ?? '').filter((cell) => cell !== '')
  const holds = (place: number, reads: (cell: string) => unknown): boolean =>
    values(place).length > 0 && values(place).every((cell) => reads(cell) !== undefined)
  for (const [role, names] of Object.entries(wishes) as [LedgerRole, readonly string[]][]) {
    const places = names.map((name) => findPlace(name, header, keys))
    const missing = names[places.indexOf(-1)]
    if (missing !== undefined) return { kind: 'faulty', message: describeMissing(role, missing, header) }
    columns[role] = places
  }
  const taken = (): Set<number> => new Set(Object.values(columns).flat())
  const guess = (role: LedgerRole, reads: (cell: string) => unknown): void => {
    if (columns[role] !== undefined) return
    const place = LEDGER_NAMES[role]
      .map((name) => keys.indexOf(name))
      .find((one) => one !== -1 && !taken().has(one) && holds(one, reads))
    if (place === undefined) return
    columns[role] = [place]
    guessed.push(role)
  }
  if (columns.time === undefined) {
    const places = guessTime(keys, holds, sample)
    if (places !== undefined) {
      columns.time = places
      guessed.push('time')
    }
  }
  // Ones and zeros are counts as well, and mean the same.
  guess('counted', (cell) => (/^\d/.test(cell) ? undefined : readCounted(cell)))
  guess('count', readCount)
  for (const role of ['conversation', 'user', 'status'] as const) guess(role, (cell) => cell)
  // A ledger without its times can only be held against the account as a whole, and only where that is wanted.
  if (columns.time === undefined) return { kind: 'faulty', message: describeTimeless(header) }
  return { kind: 'found', columns, guessed }
}

function guessTime(
  keys: readonly string[],
  holds: (place: number, reads: (cell: string) => unknown) => boolean,
  sample: readonly (readonly string[])[],
): number[] | undefined {
  const [date, hour] = [DATE_NAMES, HOUR_NAMES].map((names) =>
    keys.findIndex((key) => names.includes(key)),
  ) as [number, number]
  if (date !== -1 && hour !== -1 && date !== hour && !holds(hour, parseTime)) {
    const joined = sample.map((row) => `${row[date]?.trim()} ${row[hour]?.trim()}`)
    if (joined.length > 0 && joined.every((cell) => parseTime(cell) !== undefined)) return [date, hour]
  }
  const places = [...LEDGER_NAMES.time.map((name) => keys.indexOf(name)), ...keys.keys()]
  const place = places.find((one) => one !== -1 && holds(one, parseTime))
  return place === undefined ? undefined : [place]
}

function findPlace(name: string, header: readonly string[], keys: readonly string[]): number {
  const exact = header.findIndex((cell) => cell.trim() === name)
  return exact === -1 ? keys.indexOf(columnKey(name)) : exact
}

function describeMissing(role: LedgerRole, name: string, header: readonly string[]): string {
  const near = suggest(columnKey(name), header.map(columnKey))
  const meant = header.find((cell) => columnKey(cell) === near)
  const hint = meant === undefined ? '' : `; did you mean ${excerpt(meant)}?`
  return `no column is called ${excerpt(name)}, which --ledger-columns names for ${role} (found: ${excerptList(header, 40)})${hint}`
}

const describeTimeless = (header: readonly string[]): string =>
  `no column holds times (found: ${excerptList(header, 40)}); name it with --ledger-columns time=…, two of them as time=date+hour, ` +
  'or compare the total alone, whatever its time, with --ledger-columns time=none'
