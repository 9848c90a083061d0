// A header, understood: which cell of a row is what.
import { COLUMN_NAMES, isCarried, type ColumnName } from './columns.ts'
import type { Assignment, ColumnFault } from './header.ts'

export interface Layout {
  /** Place of each column that is there, from 0. */
  readonly own: Partial<Record<ColumnName, number>>
  /** Places of the cells that are joined into tags. */
  readonly tags: readonly number[]
  /** The set's own columns in their order: known ones under their own name, others as the header is written. */
  readonly carried: readonly { readonly name: string; readonly index: number }[]
  /** Of a `results.csv`, and only there: where the number of the repeat stands, -1 where its column was deleted. */
  readonly repeat?: number
  /** Of a `results.csv`, and only there: places of the results themselves, which are dropped. */
  readonly dropped?: ReadonlySet<number>
  /** The columns were made by an importer, for all rows alike: an empty cell is none of its row's. */
  readonly isImported?: true
}

export type LayoutReading =
  | { readonly kind: 'layout'; readonly layout: Layout }
  | { readonly kind: 'faulty'; readonly faults: readonly ColumnFault[] }

export function createLayout({ own, ordinary }: Assignment): Layout {
  const carried = [
    ...[...own].flatMap(([name, [place]]) =>
      place === undefined || !isCarried(name) ? [] : [{ name, index: place.index }],
    ),
    ...ordinary.map(({ header, index }) => ({ name: header, index })),
  ].toSorted((a, b) => a.index - b.index)
  return {
    own: Object.fromEntries(
      COLUMN_NAMES.flatMap((name) => {
        const index = own.get(name)?.[0]?.index
        return index === undefined ? [] : [[name, index]]
      }),
    ),
    tags: own.get('tags')?.map(({ index }) => index) ?? [],
    carried,
  }
}
