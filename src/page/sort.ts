// In which order conversations are shown, judged by those of their questions that were found.
import type { PageRow } from '../domain/page-data.ts'
import type { Found } from './conversations.ts'
import { gravity } from './lists.ts'

export const SORT_NAMES = ['set', 'worst', 'slowest', 'different'] as const
export type SortName = (typeof SORT_NAMES)[number]

export const isSortName = (text: string): text is SortName => (SORT_NAMES as readonly string[]).includes(text)

/** The larger, the earlier; what has no value comes last. Equals keep the order of the set. */
const VALUES: Record<Exclude<SortName, 'set'>, (row: PageRow) => number> = {
  worst: gravity,
  slowest: ({ latencyMs }) => latencyMs ?? -1,
  different: ({ changed }) => {
    const similarity = changed?.similarity ?? null
    return similarity === null ? -1 : 1 - similarity
  },
}

export function sortFound(
  found: readonly Found[],
  rows: readonly PageRow[],
  sort: SortName,
): readonly Found[] {
  if (sort === 'set') return found
  const valueOf = VALUES[sort]
  const valued = found.map((one) => ({
    one,
    value: one.places.reduce((most, place) => {
      const row = rows[place]
      return row === undefined ? most : Math.max(most, valueOf(row))
    }, Number.NEGATIVE_INFINITY),
  }))
  return valued.sort((some, other) => other.value - some.value).map(({ one }) => one)
}
