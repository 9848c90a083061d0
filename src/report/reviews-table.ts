// How many answers are reviewed: the page draws this table again. No zod here: it is for the browser.
import { digits } from '../domain/format.ts'
import { type Rating, RATINGS } from '../domain/review.ts'
import type { Table } from './document.ts'

export const REVIEWS = 'Reviews'

/** The worst comes first; empty where nobody reviewed any. */
export function reviewsTable(counts: Readonly<Record<Rating | 'none', number>> | null): Table {
  const words = [...RATINGS.toReversed(), 'none'] as const
  const rows = words.map((word) => ({
    cells: [
      { text: word === 'none' ? 'not reviewed' : word, link: { find: `review:${word}` } },
      digits(counts?.[word] ?? 0),
    ],
  }))
  return { kind: 'table', title: REVIEWS, columns: ['', ''], words: 2, rows: counts ? rows : [] }
}
