// Which conversations are found by what was chosen, in the order that was chosen.
import { conversationsOf, findIn, type Found } from './conversations.ts'
import { takes, type Filter } from './filter.ts'
import type { KeptMarks } from './kept-marks.ts'
import { holdsAll, searchTerms } from './search.ts'
import { sortFound, type SortName } from './sort.ts'
import type { Store } from './store.ts'

export interface Chosen {
  readonly filter: Filter
  readonly sort: SortName
}

type Searched = Pick<Store, 'rows' | 'contents' | 'folded'>

export function createFinder(
  { rows, contents, folded }: Searched,
  marks: Pick<KeptMarks, 'at'>,
): (chosen: Chosen) => readonly Found[] {
  const conversations = conversationsOf(rows, contents.kind)
  return ({ filter, sort }) => {
    const terms = searchTerms(filter.search ?? '')
    const isFound = (place: number): boolean => {
      const row = rows[place]
      if (row === undefined || !takes(filter, row, marks.at(place))) return false
      return terms.length === 0 || holdsAll(folded(place), terms)
    }
    return sortFound(findIn(conversations, isFound), rows, sort)
  }
}

/** The same questions in the same order. */
export const isSame = (some: readonly Found[], others: readonly Found[]): boolean =>
  some.length === others.length &&
  some.every(
    ({ places }, number) =>
      places.length === others[number]?.places.length && places[0] === others[number]?.places[0],
  )
