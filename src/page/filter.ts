// Which questions a person wants to see: all that is chosen must hold.
import type { PageRow } from '../domain/page-data.ts'
import { isListName, LISTS } from './lists.ts'
import type { Mark } from './marks.ts'

export const FILTER_KEYS = ['list', 'tag', 'source', 'outcome', 'search'] as const
export type FilterKey = (typeof FILTER_KEYS)[number]

/** A missing key takes everything; an empty source is a source. */
export type Filter = Readonly<Partial<Record<FilterKey, string>>>

/** In filters, the outcome of what was not asked. */
export const NO_OUTCOME = 'none'

export const outcomeName = ({ outcome }: Pick<PageRow, 'outcome'>): string => outcome ?? NO_OUTCOME

/** All but the search. A list that nobody knows takes nothing. */
export function takes({ list, tag, source, outcome }: Filter, row: PageRow, mark?: Mark): boolean {
  if (list !== undefined && !(isListName(list) && LISTS[list](row, mark))) return false
  if (tag !== undefined && !row.tags.includes(tag)) return false
  if (source !== undefined && row.source !== source) return false
  return outcome === undefined || outcomeName(row) === outcome
}

export const isEmpty = (filter: Filter): boolean => FILTER_KEYS.every((key) => filter[key] === undefined)
