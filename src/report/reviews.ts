// What people think of the answers, in words.
import type { AwaitedReview, ReviewCounts } from '../domain/review.ts'
import type { Summary } from '../domain/summary.ts'
import { digits, plural } from '../domain/text.ts'

/** `6 of 9 answers reviewed (good 4, poor 2); 1 says something else now, 2 are new`. */
export function describeReviews(counts: ReviewCounts): string {
  const { reviewed, changed, new: unseen } = counts
  const words = (['good', 'acceptable', 'poor'] as const)
    .filter((word) => counts[word] > 0)
    .map((word) => `${word} ${digits(counts[word])}`)
  const of = `${digits(reviewed)} of ${plural(reviewed + changed + unseen, 'answer')} reviewed`
  const left = [
    ...(changed === 0 ? [] : [`${digits(changed)} ${changed === 1 ? 'says' : 'say'} something else now`]),
    ...(unseen === 0 ? [] : [`${digits(unseen)} ${unseen === 1 ? 'is' : 'are'} new`]),
  ]
  return `${of}${words.length === 0 ? '' : ` (${words.join(', ')})`}${left.length === 0 ? '' : `; ${left.join(', ')}`}`
}

export const awaitedCount = ({ reviews }: Summary): number =>
  reviews === null ? 0 : reviews.changed + reviews.new

export function describeAwaited({ before, note }: AwaitedReview): string {
  const what = before === undefined ? 'new' : `was ${before}, and says something else now`
  return note === '' ? what : `${what}; note: ${note}`
}
