// What people think of a candidate's answers: a line, and the answers that wait for a person.
import type { CandidateComparison } from '../domain/comparison/comparison.ts'
import { bold, foldedList, plain } from './markdown.ts'
import { screenTable, section } from './comparison-screen-tables.ts'
import { describeAwaited, describeReviews } from './reviews.ts'

const TITLE = 'Needs your review'
const WIDTHS = [24, 42, 42]

/** Undefined where no review is known. */
export function describeCandidateReviews({ reviews }: CandidateComparison): string | undefined {
  return reviews === null ? undefined : `Reviews: ${describeReviews(reviews.counts)}.`
}

/** How many lists of reviews there will be: one or none. */
export const reviewLists = ({ reviews }: CandidateComparison): number =>
  reviews === null || reviews.awaitedCount === 0 ? 0 : 1

/** `where`: the file that has all of them. */
export function screenAwaited({ reviews }: CandidateComparison, most: number, where: string): string[] {
  if (reviews === null || reviews.awaitedCount === 0) return []
  const shown = reviews.awaited.slice(0, most)
  const left = reviews.awaitedCount - shown.length
  return [
    ...section(`${TITLE} (${reviews.awaitedCount}):`),
    ...screenTable(
      shown.map((one) => [one.id, one.message, describeAwaited(one)]),
      WIDTHS,
      { indent: '  ' },
    ),
    ...(left > 0 ? [`  and ${left} more: see ${where}`] : []),
  ]
}

/** Of at most so many characters. */
export function awaitedSection({ reviews }: CandidateComparison, most: number, where: string): string[] {
  if (reviews === null) return []
  const items = reviews.awaited.map((one) => [
    `- ${bold(one.id, 60)} ${plain(one.message, 200)}`,
    `  - ${plain(describeAwaited(one), 250)}`,
  ])
  return foldedList({ title: TITLE, count: reviews.awaitedCount, items, where }, most)
}
