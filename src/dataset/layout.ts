// Reads a header: which cell of a row is what.
import { RESULT_COLUMNS } from '../domain/result-columns.ts'
import {
  COLUMNS,
  COLUMN_NAMES,
  columnKey,
  findColumn,
  isCarried,
  suggest,
  type ColumnName,
} from './columns.ts'
import { excerpt, excerptList, type Remark } from './remarks.ts'

/** A cell of the header that has a name. */
export interface Place {
  readonly name: string
  /** From 0. */
  readonly index: number
}

export interface Layout {
  /** Where each of our columns stands; only tags may stand in several. */
  readonly own: ReadonlyMap<ColumnName, readonly Place[]>
  /** The set's own columns in their order: known ones under their own name, others as the header is written. */
  readonly carried: readonly Place[]
  /** Of a `results.csv`, and only there: where the number of the repeat stands, -1 where its column was deleted. */
  readonly repeat?: number
}

export const listPlaces = (header: readonly string[]): Place[] =>
  header.map((cell, index) => ({ name: cell.trim(), index })).filter(({ name }) => name !== '')

/** The layout of the harness's own form or of a run's results, or what is wrong with the header. */
export function readLayout(header: readonly string[]): Layout | { readonly faults: readonly Remark[] } {
  const results = findResults(header)
  const found = (results?.places ?? listPlaces(header)).map((place) => ({
    place,
    column: findColumn(place.name),
  }))
  const named = new Set(found.flatMap(({ column }) => (column?.isOwn === true ? [column.name] : [])))
  const own = new Map<ColumnName, Place[]>()
  const ordinary: Place[] = []
  // Where a column's own name stands, its other names beside it are ordinary columns.
  for (const { place, column } of found)
    if (column === undefined || (!column.isOwn && named.has(column.name))) ordinary.push(place)
    else own.set(column.name, [...(own.get(column.name) ?? []), place])
  const faults = [...findDuplicates(own, ordinary), ...findMisspelt(ordinary, own)]
  if (!own.has('message')) {
    const names = excerptList(listPlaces(header).map(({ name }) => name))
    const message = `this is not a question set: column message is missing (found: ${names})`
    faults.unshift({ column: 'message', message })
  }
  if (faults.length > 0) return { faults }
  const carried = [
    ...ordinary,
    ...[...own].flatMap(([name, [place]]) =>
      place !== undefined && isCarried(name) ? [{ ...place, name }] : [],
    ),
  ].toSorted((a, b) => a.index - b.index)
  return { own, carried, ...(results && { repeat: results.repeat }) }
}

/** Fixed columns of results that are questions' own; the others are dropped: a review is of the answer beside it. */
const KEPT: ReadonlySet<string> = new Set(['id', 'thread', 'turn', 'message', 'tags'])
/** So many of the columns that only results have: an editor may have deleted or moved the others. */
const ENOUGH = 8

/** The columns of a `results.csv` that are not the results themselves; undefined for any other file. */
function findResults(
  header: readonly string[],
): { readonly places: readonly Place[]; readonly repeat: number } | undefined {
  const keys = header.map((cell) => columnKey(undoDefusing(cell)))
  const indexOf = (name: string): number => keys.indexOf(columnKey(name))
  const dropped = new Set(RESULT_COLUMNS.filter((name) => !KEPT.has(name)).map(indexOf))
  dropped.delete(-1)
  if (dropped.size < ENOUGH) return undefined
  const places = listPlaces(header.map(undoDefusing)).filter(({ index }) => !dropped.has(index))
  return {
    places: places.map(({ name, index }) => ({ name: undoMark(name), index })),
    repeat: indexOf('repeat'),
  }
}

/** The set's own column of a fixed one's name stands in results with a mark behind it. */
function undoMark(header: string): string {
  const name = header.replace(/ \(set\)$/, '')
  return (RESULT_COLUMNS as readonly string[]).includes(name) ? name : header
}

/** Undoes the rule of `results.csv`: it puts a `'` before any cell that matches this without the first quote. */
export const undoDefusing = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)

/** `a, b and c`. */
const LIST = new Intl.ListFormat('en-GB')

/** Duplicate names: of one column, except tags, or of two ordinary columns. */
function findDuplicates(
  own: ReadonlyMap<ColumnName, readonly Place[]>,
  ordinary: readonly Place[],
): Remark[] {
  const alike = new Map<string, Place[]>()
  for (const place of ordinary) {
    const key = columnKey(place.name)
    alike.set(key, [...(alike.get(key) ?? []), place])
  }
  return [...[...own].filter(([name]) => name !== 'tags'), ...alike].flatMap(([column, places]) => {
    const [first] = places
    if (first === undefined || places.length === 1) return []
    const numbers = `columns ${LIST.format(places.map(({ index }) => String(index + 1)))}`
    const isOneName = places.every(({ name }) => columnKey(name) === columnKey(first.name))
    const message = isOneName
      ? `the column ${excerpt(first.name)} occurs more than once (${numbers}); rename or delete all but one`
      : `${LIST.format(places.map(({ name }) => excerpt(name)))} (${numbers}) are names of the same column; rename the right one to "${column}", and the others become ordinary columns`
    return [{ column, message }]
  })
}

/** Shorter names are one slip away from too many ordinary words: "test" from "text". */
const LEAST_OWN_LENGTH = 4
const LEAST_OTHER_LENGTH = 5

/** A misspelt name would leave its column unread: a thread in pieces, an expectation that nothing checks. */
function findMisspelt(ordinary: readonly Place[], own: ReadonlyMap<ColumnName, unknown>): Remark[] {
  const names = COLUMN_NAMES.filter((name) => !own.has(name) && name !== 'review' && name !== 'note')
  const candidates = names.flatMap((name) => [
    ...(name.length >= LEAST_OWN_LENGTH ? [name] : []),
    ...COLUMNS[name].filter((other) => other.length >= LEAST_OTHER_LENGTH),
  ])
  return ordinary
    .filter(({ name }) => findColumn(name) === undefined)
    .flatMap(({ name: column }) => {
      const name = suggest(column, candidates)
      if (name === undefined) return []
      const message = `the column ${excerpt(column)} is unknown; did you mean "${name}"? Correct the name, or choose a different one`
      return [{ column, message }]
    })
}
