// How one question changed from a baseline to a candidate, and what its answers say.
import type { Outcome } from '../outcome.ts'
import type { Reviewing } from '../review.ts'

/** How a question changed from the baseline to the candidate; one may have changed in several ways. */
export const CHANGE_KINDS = [
  // Flips: regressions and what is better now.
  'groundingLost',
  'passToFail',
  'groundingGained',
  'failToPass',
  // Flips of a question that is known to differ from one asking to the next: noise.
  'flaky',
  // Availability: no answer is neither ungrounded nor wrong.
  'answerToError',
  'answerToSkipped',
  'errorToAnswer',
  'skippedToAnswer',
  'contextLost',
  'contextRegained',
  // Drift: nothing flipped.
  'factsChanged',
  'otherAnswer',
  'sourceChanged',
  // No change, but to be seen: wrong before and now.
  'failInBoth',
] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** A fact of an answer that came or went, as the answer writes it. */
export interface ChangedFact {
  readonly kind: string
  readonly text: string
}

/** What one run has of a question: of the repeat that shows the change; source and rates over all its repeats. */
export interface ComparedSide {
  readonly id: string
  readonly message: string
  readonly repeat: number
  /** The answer's `contextSource`, or in brackets why there is none that counts: `(error)`, `(not asked)`, … */
  readonly source: string
  readonly outcome: Outcome | null
  /** Grounded ÷ answered, passed ÷ graded, over the repeats; null without a denominator. */
  readonly groundingRate: number | null
  readonly passRate: number | null
  /** Expectations that the answer did not keep, a sentence each; or how the turn failed. */
  readonly failures: readonly string[]
  /** Service time, milliseconds. */
  readonly latencyMs: number | null
}

export interface QuestionChange {
  /** The candidate's id. */
  readonly id: string
  readonly file: number
  readonly thread: string
  readonly turn: number
  readonly message: string
  readonly tags: readonly string[]
  readonly mustPass: boolean
  /** In the order of `CHANGE_KINDS`. */
  readonly kinds: readonly ChangeKind[]
  readonly baseline: ComparedSide
  readonly candidate: ComparedSide
  /** Token F1 of the two answers that are shown, 0 to 1; null where one run has none. */
  readonly similarity: number | null
  /** Of another repeat where the shown one does not say anything else, but that does. */
  readonly factsLost: readonly ChangedFact[]
  readonly factsGained: readonly ChangedFact[]
}

/** A change with both answers' texts, for people; null where a run has no answer. */
export interface ShownChange extends QuestionChange {
  readonly answers: { readonly baseline: string | null; readonly candidate: string | null }
}

/** Pairs of answers by what they say. */
export interface AnswerReview {
  readonly same: number
  readonly rephrased: number
  readonly factsChanged: number
  readonly otherAnswer: number
}

/** What other repeats of a question came to than the one that is shown. */
export interface OtherAnswer {
  readonly repeats: readonly number[]
  /** Null without one. */
  readonly answer: string | null
  readonly outcome: Outcome | null
}

/** What the candidate's shown repeat took and came to, whatever the others did. Milliseconds; null where nothing was sent. */
export interface AskedFacts {
  readonly waitMs: number | null
  readonly attempts: number
  readonly rateLimited: number
  readonly conversationId: string | null
  /** Null without an answer in its context. */
  readonly grounded: boolean | null
  /** Null: nothing was expected, or there was no answer to hold it against. */
  readonly passed: boolean | null
  /** Answered, but without the conversation before. */
  readonly contextLost: boolean
}

/** A row of `comparison.csv`: every question of either run, what changed with what did not. */
export interface ComparisonRow extends Omit<QuestionChange, 'baseline' | 'candidate'> {
  readonly presence: 'both' | 'added' | 'removed' | 'edited'
  /** How the answers differ; null where one run has none. */
  readonly answers: keyof AnswerReview | null
  /** Null where the run does not have the question. */
  readonly baseline: (ComparedSide & { readonly answer: string | null }) | null
  readonly candidate: (ComparedSide & { readonly answer: string | null }) | null
  /** Of each run's other repeats: each answer that is not the shown one, once. */
  readonly others: { readonly baseline: readonly OtherAnswer[]; readonly candidate: readonly OtherAnswer[] }
  /** Null where the candidate does not have the question. */
  readonly asked: AskedFacts | null
  /** What people think of the candidate's answer; null without an answer, or where no review is known. */
  readonly reviewing: Reviewing | null
}

export const COMPARISON_COLUMNS = [
  'id',
  'thread',
  'turn',
  'message',
  'presence',
  'change',
  'baseline_source',
  'candidate_source',
  'baseline_grounded',
  'candidate_grounded',
  'baseline_passed',
  'candidate_passed',
  'baseline_outcome',
  'candidate_outcome',
  'failures',
  'answers',
  'similarity',
  'facts_lost',
  'facts_gained',
  'baseline_answer',
  'candidate_answer',
  'diff',
  'baseline_latency_ms',
  'candidate_latency_ms',
  'tags',
  'review',
  'note',
] as const
