// The layout of a set in the harness's own form.
import { COLUMNS, columnKey } from './columns.ts'
import { excerpt, excerptList } from './excerpt.ts'
import { assignColumns, findTwins, listPlaces, type ColumnFault, type Place } from './header.ts'
import { createLayout, type LayoutReading } from './layout.ts'
import { suggest } from './suggestion.ts'

export function readNativeLayout(header: readonly string[]): LayoutReading {
  const places = listPlaces(header)
  const assignment = assignColumns(
    places.filter((place) => place.header !== ''),
    new Set(),
  )
  const faults = findTwins(assignment)
  if (!assignment.own.has('message')) faults.push(describeNoMessage(places))
  if (faults.length > 0) return { kind: 'faulty', faults }
  return { kind: 'layout', layout: createLayout(assignment) }
}

function describeNoMessage(places: readonly Place[]): ColumnFault {
  const headers = places.map(({ header }) => header).filter((header) => header !== '')
  const names = ['message', ...COLUMNS.message]
  const near = headers.find((header) => suggest(columnKey(header), names) !== undefined)
  const fix = near === undefined ? '' : `; is it ${excerpt(near)}? Then name it "message"`
  return {
    column: 'message',
    message: `this is not a question set: column message is missing (found: ${excerptList(headers)})${fix}`,
  }
}
