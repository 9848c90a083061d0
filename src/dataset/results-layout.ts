// The layout of a `results.csv` that is asked again: by place, as its own columns may be named like fixed ones.
import { RESULT_COLUMNS } from '../domain/result-columns.ts'
import { columnKey, type ColumnName } from './columns.ts'
import { assignColumns, findTwins, listPlaces, type Place } from './header.ts'
import { undoDefusing } from './defusing.ts'
import { createLayout, type LayoutReading } from './layout.ts'

/** Fixed columns that are questions' own; the others are results, and dropped. */
const KEPT = ['id', 'thread', 'turn', 'message', 'tags', 'review', 'note'] as const

export function readResultsLayout(header: readonly string[]): LayoutReading | undefined {
  if (!isResults(header)) return undefined
  const places = listPlaces(header.map((cell) => undoMark(undoDefusing(cell))))
  const rest = assignColumns(
    places.slice(RESULT_COLUMNS.length).filter((place) => place.header !== ''),
    new Set<ColumnName>(KEPT),
  )
  const faults = findTwins(rest)
  if (faults.length > 0) return { kind: 'faulty', faults }
  const fixed = KEPT.map((name) => {
    const index = RESULT_COLUMNS.indexOf(name)
    return [name, [{ header: name, index }]] as const
  })
  const own = new Map<ColumnName, readonly Place[]>([...fixed, ...rest.own])
  const layout = createLayout(places, { own, ordinary: rest.ordinary })
  return { kind: 'layout', layout: { ...layout, repeat: RESULT_COLUMNS.indexOf('repeat') } }
}

const isResults = (header: readonly string[]): boolean =>
  RESULT_COLUMNS.every((name, index) => columnKey(header[index] ?? '') === columnKey(name))

/** The set's own column of a fixed one's name stands in results with a mark behind it. */
function undoMark(header: string): string {
  const name = header.replace(/ \(set\)$/, '')
  return (RESULT_COLUMNS as readonly string[]).includes(name) ? name : header
}
