// What a summary shows beside the figures: each part is left out where it is empty.
import type { GapCluster } from './gap.ts'
import type { Highlight } from './highlight.ts'
import type { QuestionCounts } from './question-counts.ts'
import type { RepeatedQuestion } from './repeats.ts'
import type { AwaitedReview } from './review.ts'

/** A turn whose answer did not keep what the question expects. */
export interface FailedTurn {
  readonly id: string
  readonly message: string
  /** One for each expectation that was not kept. */
  readonly sentences: readonly string[]
}

export interface SummaryDetails {
  /** Of all questions, where the lists below may hold fewer. */
  readonly counts: QuestionCounts
  /** By id, of the questions that the summary lists without their words: those that must pass, and flaky ones. */
  readonly messages?: ReadonlyMap<string, string>
  /** Answers that were given without their conversation, by their source; the summary's sources have them, too. */
  readonly withoutContext?: ReadonlyMap<string, number>
  /** In the order of the set; may be fewer than failed. */
  readonly failures: readonly FailedTurn[]
  /** One a question, in the order of the set; may be fewer than there are. */
  readonly errors: readonly Highlight[]
  /** Heaviest first. */
  readonly gaps: readonly GapCluster[]
  readonly flaky: readonly RepeatedQuestion[]
  /** Grounded answers that failed: the article is wrong, or it is the wrong one. */
  readonly wrong: readonly FailedTurn[]
  /** Answers that wait for a person, changed ones first; may be fewer than there are. */
  readonly awaited: readonly AwaitedReview[]
}
