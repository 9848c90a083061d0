// A turn as the page holds it; texts are untrusted. No zod, not even a type: the page reads this.
import type { TurnArticles } from './articles.ts'
import type { Outcome } from './outcome.ts'
import type { Rating } from './review.ts'

export interface NamedQuestion {
  readonly id: string
  readonly file: number
  readonly thread: string
  readonly turn: number
  readonly message: string
  readonly tags: readonly string[]
  readonly mustPass: boolean
}

interface ShownAnswer {
  readonly answer: string | null
  readonly source: string | null
  readonly outcome: Outcome | null
}

export interface PageTurn extends NamedQuestion, ShownAnswer {
  readonly cells: Readonly<Record<string, string>>
  readonly repeat: number
  readonly status: string | null
  readonly grounded: boolean | null
  readonly error: string | null
  readonly passed: boolean | null
  readonly checks: readonly Check[]
  readonly latencyMs: number | null
  readonly waitMs: number | null
  readonly attempts: number
  readonly rateLimited: number
  readonly contextLost: boolean
  readonly article: string | null
  readonly articles: TurnArticles | null
  readonly flaky: boolean
  readonly tries?: PageTries
  readonly review: PageReview | null
  /** An earlier answer was reviewed, and this one differs: it needs a review. */
  readonly reviewedBefore: (PageReview & { readonly answer: string }) | null
  readonly change: PageChange | null
}

/** The question failed and was sent again; the turn shows the answer that counts. */
export interface PageTries {
  readonly answers: number
  readonly failed: number
  readonly ungrounded: number
  readonly confirmed: boolean
  readonly others: readonly (ShownAnswer & { readonly isFirst: boolean })[]
}

export interface PageReview {
  readonly word: Rating
  readonly note: string
}

export interface Check {
  readonly column: string
  readonly expected: string
  readonly met: boolean
  readonly found: string | null
}

export interface PageChange extends ShownAnswer {
  /** These are names of `PageContents.changes`. An edited question counts as edited alone. */
  readonly kinds: readonly string[]
  readonly edited: { readonly message: string; readonly changes: readonly string[] } | null
  readonly factsLost: readonly string[]
  readonly factsGained: readonly string[]
}
