// Shares of questions in two runs: their difference, how sure it is, and which questions make it.

/** Candidate − baseline, with its 95 % interval; a bound is null where the threads are too few to say. */
export interface MeasuredDifference {
  readonly estimate: number
  readonly low: number | null
  readonly high: number | null
}

/** A share of questions in both runs, over the questions that have a value in both; repeats folded to one value. */
export interface ShareReview {
  readonly questions: number
  readonly threads: number
  readonly baseline: number | null
  readonly candidate: number | null
  readonly difference: MeasuredDifference | null
  /** Two-sided, for no difference; null where there is nothing to test. By tag: adjusted by Holm over the tags. */
  readonly p: number | null
  readonly test: 'exact McNemar' | 'bootstrap and sign flips over threads' | 'sign flips over threads' | null
}

/** The smallest regression that the whole gate would have seen with 80 % power. */
export interface Sensitivity {
  /** A share, 0 to 1; null where not even the loss of all would have been seen. */
  readonly drop: number | null
  /** How many independent pairs the questions are worth for a drop of that size that takes whole threads. */
  readonly pairs: number
  /** Share of the pairs that differ; with repeats the mean square of their changes, which is as much noise. */
  readonly discordance: number
  /** Level of each test, after sharing. */
  readonly alpha: number
}

export interface FamilyReview extends ShareReview {
  readonly byTag: Readonly<Record<string, ShareReview>>
  readonly sensitivity: Sensitivity | null
}

export interface GroundingReview extends FamilyReview {
  /** Turns, of repeats each beside one of the other run's, from one source to another, as `ComparedSide` names them; largest first. */
  readonly matrix: readonly { readonly from: string; readonly to: string; readonly count: number }[]
  /** Question ids, in the order of the set. */
  readonly lost: readonly string[]
  readonly gained: readonly string[]
  readonly flaky: readonly string[]
}

export interface VerdictReview extends FamilyReview {
  readonly passToFail: readonly string[]
  readonly failToPass: readonly string[]
  readonly failInBoth: readonly string[]
  readonly flaky: readonly string[]
  /** Questions whose expectations differ between the runs: both answers were graded by the candidate's. */
  readonly expectationsEdited: number
}

/** Answered ÷ asked, over questions that were asked in both runs; skipped after an error counts as asked. */
export interface AvailabilityReview extends ShareReview {
  // With repeats the gravest of them counts: one error makes a question one of these.
  readonly answerToError: readonly string[]
  readonly errorToAnswer: readonly string[]
  readonly errorInBoth: readonly string[]
  readonly answerToSkipped: readonly string[]
  readonly skippedToAnswer: readonly string[]
  /** Of the five lists above those with an answer all the same: from another repeat in the run that lacks one. */
  readonly answeredToo: readonly string[]
  /** Not asked in one run at least: it is half done. */
  readonly notAsked: readonly string[]
  readonly contextLost: readonly string[]
  readonly contextRegained: readonly string[]
}
