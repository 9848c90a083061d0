// Reviews of answers, and how later answers relate to them. No zod here, not even a type: the page takes it
// into the browser.

export const RATINGS = ['good', 'acceptable', 'poor'] as const
export type Rating = (typeof RATINGS)[number]

/** A note without a rating leaves the answer that the reviewer saw in need of a review. */
export interface Review {
  readonly questionId: string
  /** The text of the question; empty if the table does not have it. */
  readonly message: string
  /** As in the review's file; a spreadsheet may have truncated or re-encoded it. */
  readonly answer: string
  readonly review: Rating | undefined
  readonly note: string
  /**
   * Of one that was made in the workbench: it replaces rating and note of this answer; with neither, it takes
   * them back. Others add to them.
   */
  readonly made?: { readonly by: string; /** ISO 8601 */ readonly at: string }
}

export type RatedReview = Review & { readonly review: Rating }

/** The review of an answer. `note` is empty for none. */
export type Reviewing =
  | { readonly kind: 'reviewed'; readonly review: Rating; readonly note: string }
  | { readonly kind: 'changed'; readonly before: RatedReview; readonly note: string }
  | { readonly kind: 'new'; readonly note: string }
