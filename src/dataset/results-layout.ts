// The layout of a `results.csv` that is asked again, edited or not.
import { RESULT_COLUMNS } from '../domain/result-columns.ts'
import { columnKey, type ColumnName } from './columns.ts'
import { assignColumns, findTwins, listPlaces, type Place } from './header.ts'
import { undoDefusing } from './defusing.ts'
import { createLayout, type LayoutReading } from './layout.ts'

/** Fixed columns that are questions' own; the others are results, and dropped: a review is of the answer beside it. */
const KEPT = ['id', 'thread', 'turn', 'message', 'tags'] as const

/** So many of the columns that only results have: an editor may have deleted or moved the others. */
const ENOUGH = 8

export function readResultsLayout(header: readonly string[]): LayoutReading | undefined {
  const keys = header.map((cell) => columnKey(undoDefusing(cell)))
  const indexOf = (name: string): number => keys.indexOf(columnKey(name))
  const isKept = (name: string): boolean => (KEPT as readonly string[]).includes(name)
  if (RESULT_COLUMNS.filter((name) => !isKept(name) && indexOf(name) !== -1).length < ENOUGH) return undefined

  const fixedPlaces = new Set(RESULT_COLUMNS.map(indexOf))
  const dropped = new Set(RESULT_COLUMNS.filter((name) => !isKept(name)).map(indexOf))
  const places = listPlaces(header.map((cell) => undoMark(undoDefusing(cell))))
  const rest = assignColumns(
    places.filter(({ header: name, index }) => name !== '' && !fixedPlaces.has(index)),
    new Set<ColumnName>(KEPT),
  )
  const faults = findTwins(rest)
  if (faults.length > 0) return { kind: 'faulty', faults }
  const fixed = KEPT.filter((name) => indexOf(name) !== -1).map((name) => {
    const index = indexOf(name)
    return [name, [{ header: name, index }]] as const
  })
  const own = new Map<ColumnName, readonly Place[]>([...fixed, ...rest.own])
  const layout = createLayout({ own, ordinary: rest.ordinary })
  return { kind: 'layout', layout: { ...layout, repeat: indexOf('repeat'), dropped } }
}

/** The set's own column of a fixed one's name stands in results with a mark behind it. */
function undoMark(header: string): string {
  const name = header.replace(/ \(set\)$/, '')
  return (RESULT_COLUMNS as readonly string[]).includes(name) ? name : header
}
