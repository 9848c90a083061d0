// A header, understood: which cell of a row is what.
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
import { excerpt, excerptList } from './excerpt.ts'
import type { HeaderFault } from './remarks.ts'

export interface Layout {
  /** Place of each column that is there, from 0. */
  readonly own: Partial<Record<ColumnName, number>>
  /** Places of the cells that are joined into tags. */
  readonly tags: readonly number[]
  /** The set's own columns in their order: known ones under their own name, others as the header is written. */
  readonly carried: readonly { readonly name: string; readonly index: number }[]
  /** Of a `results.csv`, and only there. */
  readonly results?: {
    /** Where the number of the repeat stands, -1 where its column was deleted. */
    readonly repeat: number
    /** Places of the results themselves, which are dropped. */
    readonly dropped: ReadonlySet<number>
  }
  /** The columns were made by an import, for all rows alike: an empty cell is none of its row's. */
  readonly isImported?: true
}

export type LayoutReading =
  | { readonly kind: 'layout'; readonly layout: Layout }
  | { readonly kind: 'faulty'; readonly faults: readonly HeaderFault[] }

/** A cell of the header. */
export interface Place {
  readonly header: string
  readonly index: number
}

/** The header's cells up to the last with a name: spreadsheets leave empty columns behind. */
export function listPlaces(header: readonly string[]): Place[] {
  const width = header.findLastIndex((cell) => cell.trim() !== '') + 1
  return header.slice(0, width).map((cell, index) => ({ header: cell.trim(), index }))
}

const namedPlaces = (header: readonly string[]): Place[] =>
  listPlaces(header).filter((place) => place.header !== '')

/** The harness's own form. */
export function readNativeLayout(header: readonly string[]): LayoutReading {
  const places = namedPlaces(header)
  const assignment = assignColumns(places, new Set())
  const faults = findTwins(assignment)
  if (!assignment.own.has('message')) {
    const found = excerptList(places.map((place) => place.header))
    const message = `this is not a question set: column message is missing (found: ${found})`
    faults.push({ column: 'message', message })
  }
  if (faults.length > 0) return { kind: 'faulty', faults }
  const layout = createLayout(assignment)
  const misspelt = findMisspelt(layout)
  return misspelt.length > 0 ? { kind: 'faulty', faults: misspelt } : { kind: 'layout', layout }
}

/** Fixed columns of results that are questions' own; the others are dropped: a review is of the answer beside it. */
const KEPT = ['id', 'thread', 'turn', 'message', 'tags'] as const
const isKept = (name: string): boolean => (KEPT as readonly string[]).includes(name)
/** So many of the columns that only results have: an editor may have deleted or moved the others. */
const ENOUGH = 8

/** A `results.csv` that is asked again, edited or not; undefined for any other file. */
export function readResultsLayout(header: readonly string[]): LayoutReading | undefined {
  const keys = header.map((cell) => columnKey(undoDefusing(cell)))
  const indexOf = (name: string): number => keys.indexOf(columnKey(name))
  const results = RESULT_COLUMNS.filter((name) => !isKept(name))
  if (results.filter((name) => indexOf(name) !== -1).length < ENOUGH) return undefined
  const fixedPlaces = new Set(RESULT_COLUMNS.map(indexOf))
  const places = namedPlaces(header.map((cell) => undoMark(undoDefusing(cell))))
  const rest = assignColumns(
    places.filter(({ index }) => !fixedPlaces.has(index)),
    new Set<ColumnName>(KEPT),
  )
  const faults = findTwins(rest)
  if (faults.length > 0) return { kind: 'faulty', faults }
  const fixed = KEPT.filter((name) => indexOf(name) !== -1).map(
    (name) => [name, [{ header: name, index: indexOf(name) }]] as const,
  )
  const layout = createLayout({ own: new Map([...fixed, ...rest.own]), ordinary: rest.ordinary })
  const misspelt = findMisspelt(layout)
  if (misspelt.length > 0) return { kind: 'faulty', faults: misspelt }
  const dropped = new Set(results.map(indexOf))
  return { kind: 'layout', layout: { ...layout, results: { repeat: indexOf('repeat'), dropped } } }
}

/** The set's own column of a fixed one's name stands in results with a mark behind it. */
function undoMark(header: string): string {
  const name = header.replace(/ \(set\)$/, '')
  return (RESULT_COLUMNS as readonly string[]).includes(name) ? name : header
}

/** Undoes the rule of `results.csv`: it puts a `'` before any cell that matches this without the first quote. */
export const undoDefusing = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)

/** Of an import: our columns first, then those that are carried along under their own names. */
export function createImportedLayout(own: readonly ColumnName[], carried: readonly string[]): Layout {
  const places = own.map((name, index) => [name, [{ header: name, index }]] as const)
  const ordinary = carried.map((header, place) => ({ header, index: own.length + place }))
  return { ...createLayout({ own: new Map(places), ordinary }), isImported: true }
}

/** Which places of the header name which column, and which are ordinary. */
interface Assignment {
  readonly own: ReadonlyMap<ColumnName, readonly Place[]>
  readonly ordinary: readonly Place[]
}

function createLayout({ own, ordinary }: Assignment): Layout {
  const carried = [
    ...[...own].flatMap(([name, [place]]) =>
      place === undefined || !isCarried(name) ? [] : [{ name, index: place.index }],
    ),
    ...ordinary.map(({ header: name, index }) => ({ name, index })),
  ].toSorted((a, b) => a.index - b.index)
  const places = COLUMN_NAMES.flatMap((name) => {
    const index = own.get(name)?.[0]?.index
    return index === undefined ? [] : [[name, index] as const]
  })
  return { own: Object.fromEntries(places), tags: own.get('tags')?.map(({ index }) => index) ?? [], carried }
}

/** Where a column's own name stands, or the column is in `taken`, its other names beside it are ordinary columns. */
function assignColumns(places: readonly Place[], taken: ReadonlySet<ColumnName>): Assignment {
  const found = places.map((place) => ({ place, column: findColumn(place.header) }))
  const named = new Set([...taken, ...found.flatMap(({ column }) => (column?.isOwn ? [column.name] : []))])
  const own = new Map<ColumnName, Place[]>()
  const ordinary: Place[] = []
  for (const { place, column } of found)
    if (column === undefined || taken.has(column.name) || (!column.isOwn && named.has(column.name)))
      ordinary.push(place)
    else own.set(column.name, [...(own.get(column.name) ?? []), place])
  return { own, ordinary }
}

/** `a, b and c`. */
const LIST = new Intl.ListFormat('en-GB')

/** Faults of names that stand twice: of one column, or of two ordinary columns. Tags may. */
function findTwins({ own, ordinary }: Assignment): HeaderFault[] {
  const groups = new Map<string, Place[]>()
  for (const place of ordinary) {
    const key = columnKey(place.header)
    groups.set(key, [...(groups.get(key) ?? []), place])
  }
  return [
    ...[...own].filter(([name]) => name !== 'tags'),
    ...Array.from(groups.values(), (places) => [places[0]?.header ?? '', places] as const),
  ]
    .filter(([, places]) => places.length > 1)
    .map(([column, places]) => {
      const [first = '', ...others] = new Set(places.map(({ header }) => columnKey(header)))
      const headers = LIST.format(places.map(({ header }) => excerpt(header)))
      const numbers = `columns ${LIST.format(places.map(({ index }) => String(index + 1)))}`
      const message =
        first !== '' && others.length === 0
          ? `the column ${excerpt(places[0]?.header ?? '')} stands more than once (${numbers}); rename or delete all but one`
          : `${headers} (${numbers}) are names for one column; name the right one "${column}", and the others become ordinary columns`
      return { column, message }
    })
}

/** Shorter names are one slip away from too many ordinary words: "test" from "text". */
const LEAST_OWN_LENGTH = 4
const LEAST_OTHER_LENGTH = 5

/** A misspelt name would leave its column unread: a thread in pieces, an expectation that nothing checks. */
function findMisspelt({ carried, own }: Layout): HeaderFault[] {
  const names = COLUMN_NAMES.filter((name) => own[name] === undefined && name !== 'review' && name !== 'note')
  const candidates = names.flatMap((name) => [
    ...(name.length >= LEAST_OWN_LENGTH ? [name] : []),
    ...COLUMNS[name].filter((other) => other.length >= LEAST_OTHER_LENGTH),
  ])
  return carried
    .filter(({ name }) => findColumn(name) === undefined)
    .flatMap(({ name: column }) => {
      const near = suggest(columnKey(column), candidates.map(columnKey))
      const name = candidates.find((one) => columnKey(one) === near)
      const fix = 'Correct the name, or choose another one'
      if (name !== undefined)
        return [
          { column, message: `the column ${excerpt(column)} is not known; did you mean "${name}"? ${fix}` },
        ]
      if (!/^expect(?![a-z])/i.test(column)) return []
      const all = COLUMN_NAMES.filter((one) => one.startsWith('expect_')).join(', ')
      return [{ column, message: `the column ${excerpt(column)} is not known; write one of ${all}` }]
    })
}
