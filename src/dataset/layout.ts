// A header, understood: which cell of a row is what.
import { RESULT_COLUMNS } from '../domain/result-columns.ts'
import { COLUMNS, COLUMN_NAMES, columnKey, findColumn, isCarried, type ColumnName } from './columns.ts'
import { excerpt, excerptList } from './excerpt.ts'
import type { ImportedColumn } from './importers/importer.ts'
import type { HeaderFault } from './remarks.ts'
import { suggest } from './suggestion.ts'

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
  /** The columns were made by an importer, for all rows alike: an empty cell is none of its row's. */
  readonly isImported?: true
}

export type LayoutReading =
  | { readonly kind: 'layout'; readonly layout: Layout }
  | { readonly kind: 'faulty'; readonly faults: readonly HeaderFault[] }

/** A named cell of the header. */
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
  if (!assignment.own.has('message')) faults.push(describeNoMessage(places))
  return faults.length > 0 ? { kind: 'faulty', faults } : { kind: 'layout', layout: createLayout(assignment) }
}

function describeNoMessage(places: readonly Place[]): HeaderFault {
  const headers = places.map(({ header }) => header)
  const names = ['message', ...COLUMNS.message]
  const near = headers.find((header) => suggest(columnKey(header), names) !== undefined)
  const fix = near === undefined ? '' : `; is it ${excerpt(near)}? Then name it "message"`
  return {
    column: 'message',
    message: `this is not a question set: column message is missing (found: ${excerptList(headers)})${fix}`,
  }
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

export function createImportedLayout(columns: readonly ImportedColumn[]): Layout {
  const own = new Map<ColumnName, readonly Place[]>()
  const ordinary: Place[] = []
  for (const [index, { header, column }] of columns.entries())
    if (column === undefined) ordinary.push({ header, index })
    else own.set(column, [{ header, index }])
  return { ...createLayout({ own, ordinary }), isImported: true }
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
    else pushTo(own, column.name, place)
  return { own, ordinary }
}

/** Faults of names that stand twice: of one column, or of two ordinary columns. Tags may. */
export function findTwins({ own, ordinary }: Assignment): HeaderFault[] {
  const byKey = new Map<string, Place[]>()
  for (const place of ordinary) pushTo(byKey, columnKey(place.header), place)
  return [
    ...[...own].filter(([name]) => name !== 'tags'),
    ...Array.from(byKey.values(), (places) => [places[0]?.header ?? '', places] as const),
  ].flatMap(([name, places]) => (places.length > 1 ? [describeTwins(name, places)] : []))
}

function pushTo<Key>(groups: Map<Key, Place[]>, key: Key, place: Place): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [place])
  else group.push(place)
}

function describeTwins(column: string, places: readonly Place[]): HeaderFault {
  const numbers = `columns ${joinWords(places.map(({ index }) => String(index + 1)))}`
  const isOneName = new Set(places.map(({ header }) => columnKey(header))).size === 1
  const message = isOneName
    ? `the column ${excerpt(places[0]?.header ?? '')} stands more than once (${numbers}); rename or delete all but one`
    : `${joinWords(places.map(({ header }) => excerpt(header)))} (${numbers}) are names for one column; name the right one "${column}", and the others become ordinary columns`
  return { column, message }
}

/** `a, b and c`. */
const joinWords = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' and ')

/** Shorter names are one slip away from too many ordinary words: "test" from "text". */
const LEAST_OWN_LENGTH = 4
const LEAST_OTHER_LENGTH = 5

/**
 * A misspelt name would leave its column unread: a thread in pieces, an expectation that nothing checks. Importers and people's
 * own columns beside a known one are not at fault.
 */
export function findMisspeltColumns({ carried, own, isImported }: Layout): HeaderFault[] {
  if (isImported === true) return []
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
      const begins = `the column ${excerpt(column)} is not known`
      if (name !== undefined)
        return [
          { column, message: `${begins}; did you mean "${name}"? Correct the name, or choose another one` },
        ]
      if (!/^expect(?![a-z])/i.test(column)) return []
      const all = COLUMN_NAMES.filter((one) => one.startsWith('expect_')).join(', ')
      return [{ column, message: `${begins}; write one of ${all}, or choose a name without "expect"` }]
    })
}

/** What an importer carries along stands in its account. */
export function findHeaderWarnings({ carried, results }: Layout): string[] {
  if (results !== undefined) return []
  return carried
    .filter(({ name }) => (RESULT_COLUMNS as readonly string[]).includes(name))
    .map(
      ({ name }) =>
        `the column ${excerpt(name)} is named like one of results.csv, and is called "${name} (set)" there`,
    )
}
