// Reviews of answers. No zod, not even a type: the page takes this into the browser.

export const RATINGS = ['good', 'acceptable', 'poor'] as const
export type Rating = (typeof RATINGS)[number]

/** A note without a rating leaves the answer that the reviewer saw in need of a review. */
export interface Review {
  readonly questionId: string
  readonly message: string
  /** A spreadsheet may have truncated or re-encoded it. */
  readonly answer: string
  readonly review: Rating | undefined
  readonly note: string
  /**
   * A review of the workbench replaces rating and note of this answer, or takes them back with neither.
   * Others add to them.
   */
  readonly made?: { readonly by: string; /** The time is in ISO 8601. */ readonly at: string }
}

export type RatedReview = Review & { readonly review: Rating }

export type Reviewing =
  | { readonly kind: 'reviewed'; readonly review: Rating; readonly note: string }
  | { readonly kind: 'changed'; readonly before: RatedReview; readonly note: string }
  | { readonly kind: 'new'; readonly note: string }
