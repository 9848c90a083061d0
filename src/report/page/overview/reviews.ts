// Answers that wait for a person.
import type { AwaitedReview, ReviewCounts } from '../../../domain/review.ts'
import { digits } from '../../../domain/text.ts'
import { describeAwaited, describeReviews } from '../../reviews.ts'
import { html, type SafeHtml } from '../html.ts'
import { questionId, questionLink, sentence } from './links.ts'
import { foldedList, MOST_ITEMS, paragraph, section } from './parts.ts'
import { WORDS } from './words.ts'

const SHOWN_AT_ONCE = 8

/** Nothing where no review is known. */
export function reviewSection(counts: ReviewCounts | null, awaited: readonly AwaitedReview[]): SafeHtml {
  if (counts === null) return html``
  const count = counts.changed + counts.new
  const items = awaited
    .slice(0, MOST_ITEMS)
    .map(
      (one) =>
        html`${questionLink(one.id, one.message)} ${questionId(one.id)}
          <small dir="auto">${sentence(describeAwaited(one))}</small>`,
    )
  return section(
    { id: 'review', title: `${WORDS.sections.review} (${digits(count)})` },
    html`${paragraph(`${describeReviews(counts)}.`)}${foldedList({
      items,
      count,
      shownAtOnce: SHOWN_AT_ONCE,
      rest: { list: 'review' },
    })}`,
  )
}
