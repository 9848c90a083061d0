// A turn as the report page holds it. Its texts are untrusted. No zod here, not even a type: the page takes
// it into the browser.
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

export interface PageTurn extends NamedQuestion {
  readonly cells: Readonly<Record<string, string>>
  readonly repeat: number
  readonly answer: string | null
  readonly source: string | null
  readonly status: string | null
  /** Null without an answer in its context. */
  readonly grounded: boolean | null
  /** Null: not sent. */
  readonly outcome: Outcome | null
  readonly error: string | null
  /** Null: no expectations, or not graded. */
  readonly passed: boolean | null
  readonly checks: readonly Check[]
  /** Service time of the last attempt, and the wait before it, in milliseconds. */
  readonly latencyMs: number | null
  readonly waitMs: number | null
  readonly attempts: number
  readonly rateLimited: number
  readonly contextLost: boolean
  /** The article and section that answered, if a sandbox named it. */
  readonly article: string | null
  /** Null without articles, and for a turn without an answer in its context. */
  readonly articles: TurnArticles | null
  readonly flaky: boolean
  readonly tries?: PageTries
  readonly review: PageReview | null
  /** Needs a review: an earlier answer was reviewed, and this one differs. */
  readonly reviewedBefore: (PageReview & { readonly answer: string }) | null
  /** Since the baseline. Null without one, and if nothing changed. */
  readonly change: PageChange | null
}

/** The answers of a question that failed and was sent again, of which the turn shows the one that counts. */
export interface PageTries {
  readonly answers: number
  readonly failed: number
  readonly ungrounded: number
  /** More than half failed, or were not grounded, as the first one. */
  readonly confirmed: boolean
  readonly others: readonly {
    readonly answer: string | null
    readonly source: string | null
    readonly outcome: Outcome | null
    readonly isFirst: boolean
  }[]
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

export interface PageChange {
  /** Names of `PageContents.changes`. An edited question counts as edited alone. */
  readonly kinds: readonly string[]
  readonly edited: { readonly message: string; readonly changes: readonly string[] } | null
  readonly answer: string | null
  readonly source: string | null
  readonly outcome: Outcome | null
  readonly factsLost: readonly string[]
  readonly factsGained: readonly string[]
}
