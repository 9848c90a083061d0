// What the report page knows of each turn: written into the page by the reports, read by its code in the browser.
import type { ChangeKind } from './changes.ts'
import type { ChangedFact } from './comparison/comparison.ts'
import type { Outcome } from './outcome.ts'
import type { ReviewWord } from './review.ts'

/** A turn of a run, or of the candidate of a comparison. Texts of questions and answers are as they came: hostile. */
export interface PageTurn {
  readonly id: string
  /** Which of the run's files, from 0; threads are of one file. */
  readonly file: number
  readonly thread: string
  readonly turn: number
  readonly repeat: number
  readonly message: string
  /** Null without one. */
  readonly answer: string | null
  readonly tags: readonly string[]
  readonly mustPass: boolean
  /** The answer's `contextSource`, or in brackets why there is none that counts. */
  readonly source: string
  readonly grounded: boolean | null
  /** Null: not asked. */
  readonly outcome: Outcome | null
  /** How the turn failed, in words. */
  readonly error: string | null
  readonly passed: boolean | null
  /** Expectations that the answer did not keep, a sentence each. */
  readonly failures: readonly string[]
  /** Milliseconds: of the last attempt, and what limiter and backoff took before it. */
  readonly latencyMs: number | null
  readonly waitMs: number | null
  readonly attempts: number | null
  readonly rateLimited: number | null
  readonly conversationId: string | null
  readonly contextLost: boolean
  /** Differing within the run's repeats, or known to be from earlier runs. */
  readonly flaky: boolean
  readonly review: PageReview | null
  /** In a comparison, what became of the question; null elsewhere, and for one that the baseline does not have. */
  readonly change: PageChange | null
  /** The repeat at which the question's change is shown, where this one answered otherwise; null elsewhere. */
  readonly changeAt: number | null
}

export interface PageReview {
  /** `carried`: it holds. `changed`: it was said of another answer. `new`: nobody has judged this answer. */
  readonly state: 'carried' | 'changed' | 'new'
  readonly word: ReviewWord | null
  readonly note: string
}

export interface PageChange {
  /** `edited`: the texts of the question differ, so the answers are not compared. `removed`: the candidate lacks it. */
  readonly presence: 'both' | 'edited' | 'removed'
  readonly kinds: readonly ChangeKind[]
  readonly message: string
  readonly answer: string | null
  readonly source: string
  readonly outcome: Outcome | null
  readonly passed: boolean | null
  readonly failures: readonly string[]
  readonly latencyMs: number | null
  readonly similarity: number | null
  readonly factsLost: readonly ChangedFact[]
  readonly factsGained: readonly ChangedFact[]
}
