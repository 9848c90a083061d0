// Which cell of a header names which column.
import { columnKey, findColumn, type ColumnName } from './columns.ts'
import { excerpt } from './excerpt.ts'

export interface ColumnFault {
  readonly column?: string
  readonly message: string
}

export interface Place {
  readonly header: string
  readonly index: number
}

/** The header's cells up to the last with a name: spreadsheets leave empty columns behind. */
export function listPlaces(header: readonly string[]): Place[] {
  const width = header.findLastIndex((cell) => cell.trim() !== '') + 1
  return header.slice(0, width).map((cell, index) => ({ header: cell.trim(), index }))
}

/** Which places of the header name which column, and which are ordinary. */
export interface Assignment {
  readonly own: ReadonlyMap<ColumnName, readonly Place[]>
  readonly ordinary: readonly Place[]
}

/**
 * Where a column's own name stands, or the column is in `taken`, its other names beside it are ordinary columns.
 */
export function assignColumns(places: readonly Place[], taken: ReadonlySet<ColumnName>): Assignment {
  const found = places.map((place) => ({ place, column: findColumn(place.header) }))
  const named = new Set([...taken, ...found.flatMap(({ column }) => (column?.isOwn ? [column.name] : []))])
  const own = new Map<ColumnName, Place[]>()
  const ordinary: Place[] = []
  for (const { place, column } of found) {
    if (column === undefined || taken.has(column.name) || (!column.isOwn && named.has(column.name)))
      ordinary.push(place)
    else pushTo(own, column.name, place)
  }
  return { own, ordinary }
}

/** Faults of names that stand twice: of one column, or of two ordinary columns. Tags may. */
export function findTwins({ own, ordinary }: Assignment): ColumnFault[] {
  const faults: ColumnFault[] = []
  for (const [name, places] of own)
    if (places.length > 1 && name !== 'tags') faults.push(describeTwins(name, places))
  const byKey = new Map<string, Place[]>()
  for (const place of ordinary) pushTo(byKey, columnKey(place.header), place)
  for (const places of byKey.values())
    if (places.length > 1) faults.push(describeTwins(places[0]?.header ?? '', places))
  return faults
}

function pushTo<Key>(groups: Map<Key, Place[]>, key: Key, place: Place): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [place])
  else group.push(place)
}

function describeTwins(name: string, places: readonly Place[]): ColumnFault {
  const header = excerpt(places[0]?.header ?? '')
  const numbers = `columns ${joinWords(places.map(({ index }) => String(index + 1)))}`
  const isOneName = new Set(places.map((place) => columnKey(place.header))).size === 1
  const message = isOneName
    ? `the column ${header} stands more than once (${numbers}); rename or delete all but one`
    : `${joinWords(places.map((place) => excerpt(place.header)))} (${numbers}) are names for one column; name the right one "${name}", and the others become ordinary columns`
  return { column: name, message }
}

/** `a, b and c`. */
const joinWords = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' and ')
