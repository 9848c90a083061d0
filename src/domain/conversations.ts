// What the report page knows of each turn: written into the page by the reports, read by its code in the browser. Texts are as they came: hostile.
import type { Outcome } from './outcome.ts'
import type { ReviewWord } from './review.ts'

/** A turn of a run, with what became of it since the baseline. */
export interface PageTurn {
  readonly id: string
  /** Which of the run's files, from 0; threads are of one file. */
  readonly file: number
  readonly thread: string
  readonly turn: number
  readonly repeat: number
  readonly message: string
  readonly tags: readonly string[]
  readonly mustPass: boolean
  /** Null without one. */
  readonly answer: string | null
  readonly source: string | null
  readonly status: string | null
  /** Null: no answer in its context. */
  readonly grounded: boolean | null
  /** Null: not sent. */
  readonly outcome: Outcome | null
  /** How the turn failed, in words. */
  readonly error: string | null
  /** Null: nothing was expected, or there was no answer to grade. */
  readonly passed: boolean | null
  readonly checks: readonly Check[]
  /** Milliseconds: of the last attempt, and what limiter and pauses took before it. */
  readonly latencyMs: number | null
  readonly waitMs: number | null
  readonly attempts: number
  readonly rateLimited: number
  readonly conversationId: string | null
  readonly contextLost: boolean
  /** Differs within the run's repeats. */
  readonly flaky: boolean
  readonly review: { readonly word: ReviewWord; readonly note: string } | null
  /** An answer that was reviewed before and says something else now. */
  readonly needsReview: boolean
  /** Null without a baseline, and where nothing changed. */
  readonly change: PageChange | null
}

/** One expectation of a question, met or not. */
export interface Check {
  /** The column that expects it. */
  readonly column: string
  readonly expected: string
  readonly met: boolean
  /** What was found instead. */
  readonly found: string | null
}

export interface PageChange {
  /** Names of kinds, as `PageContents.changes` lists them. */
  readonly kinds: readonly string[]
  /** Of the baseline. */
  readonly answer: string | null
  readonly source: string | null
  readonly outcome: Outcome | null
  readonly factsLost: readonly string[]
  readonly factsGained: readonly string[]
}
