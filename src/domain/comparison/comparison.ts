// What changed between runs: what `comparison.json` holds, and what its renderers read.
import type { CallRange, Quota } from '../quota.ts'
import type { AwaitedReview, ReviewCounts } from '../review.ts'
import type { RunState } from '../summary.ts'
import type { AnswerReview, QuestionChange, ShownChange } from './change.ts'
import type { GateRule } from './rules.ts'

export interface GateResult {
  readonly rule: GateRule
  readonly passed: boolean
  /** Why, in a sentence. */
  readonly reason: string
}

/** Questions, not turns. */
export interface OverlapReview {
  readonly shared: number
  /** Of those shared: the same conversation under other ids. */
  readonly renamed: number
  readonly edited: number
  readonly baseline: number
  readonly candidate: number
  /** Shared ÷ questions that either run has. */
  readonly share: number | null
  /** Too low for headline differences: they are null then, and every gate fails. */
  readonly isLow: boolean
}

/** A setting that differs between the runs, so that figures may differ for that reason. */
export interface SettingDifference {
  readonly setting: string
  readonly baseline: string
  readonly candidate: string
  /** What follows, in a sentence. */
  readonly meaning: string
}

export interface ListedQuestion {
  readonly id: string
  readonly message: string
}

/** One candidate against the baseline. */
export interface CandidateComparison {
  /** Place in `runs`. */
  readonly run: number
  readonly settings: readonly SettingDifference[]
  readonly overlap: OverlapReview
  readonly added: readonly ListedQuestion[]
  readonly removed: readonly ListedQuestion[]
  /** The same place or id, another text: their answers are not compared. */
  readonly edited: readonly {
    readonly id: string
    readonly baseline: string
    readonly candidate: string
  }[]
  readonly grounding: GroundingReview
  readonly verdicts: VerdictReview
  readonly availability: AvailabilityReview
  readonly answers: AnswerReview
  /** Null where a run's usage is not known, and where the overlap is low. */
  readonly quota: QuotaReview | null
  readonly latency: LatencyReview
  /** Questions that changed, in the order of the candidate's set; at most ten thousand. */
  readonly changes: readonly QuestionChange[]
  readonly changesLeftOut: number
  /** Of the candidate's answers to questions of both runs; null where no review is known. */
  readonly reviews: CandidateReviews | null
  readonly gates: readonly GateResult[]
  readonly notes: readonly string[]
}

export interface CandidateReviews {
  readonly counts: ReviewCounts
  /** What a person should look at now: answers that were reviewed and say something else, then changed ones nobody has seen. */
  readonly awaited: readonly AwaitedReview[]
  /** `awaited` holds the first two hundred of them. */
  readonly awaitedCount: number
}

export interface ComparedRunFacts {
  /** How reports call it: its folder's name. */
  readonly label: string
  readonly id: string
  readonly target: string
  readonly organization: string
  readonly startedAt: string | null
  readonly state: RunState | 'running'
  readonly datasets: readonly string[]
  readonly turns: number
  readonly questions: number
}

/** One figure over all runs, baseline first; null where a run does not have it. */
export interface Trend {
  readonly figure:
    | 'coverage'
    | 'passed'
    | 'errors'
    | 'latency.p50'
    | 'latency.p95'
    | 'wait.p95'
    | 'callsPerTurn'
    | 'quota.max'
    | 'rate429'
  readonly unit: 'share' | 'ms' | 'calls' | 'callsPerTurn'
  /** The questions that it is over in every run; null for the figures of each run's own summary. */
  readonly questions: number | null
  readonly values: readonly (number | null)[]
}

export interface Comparison {
  readonly formatVersion: 1
  readonly harnessVersion: string
  readonly verdict: 'passed' | 'failed'
  readonly exitCode: number
  readonly reason: string
  /** Baseline first. */
  readonly runs: readonly ComparedRunFacts[]
  readonly options: ComparisonOptions
  readonly candidates: readonly CandidateComparison[]
  /** With more than two runs, over the questions that all of them have. */
  readonly trend: readonly Trend[]
  readonly notes: readonly string[]
}

export interface ComparisonOptions {
  readonly failOn: readonly GateRule[]
  /** Whether the rules were named, and are not the default ones. */
  readonly areNamed: boolean
  /** Of the whole gate: shared by its tests. */
  readonly alpha: number
  /** A share; a loss must be larger to fail a gate. */
  readonly margin: number
  /** Share of the questions that must be in both runs. */
  readonly minOverlap: number
  readonly groundedSources: readonly string[]
  readonly seed: number
  /** Earlier runs, from which questions are known to be flaky. */
  readonly history: readonly string[]
}

/** What reports show beside the figures. */
export interface ComparisonDetails {
  /** For each candidate the first changes with their texts: regressions first. */
  readonly shown: readonly (readonly ShownChange[])[]
}

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

/** What one run took of the quota and of time. */
export interface UsageFigures {
  readonly attempts: number
  /** Usage is between these. */
  readonly min: number
  readonly max: number
  /** Turns asked: those with an outcome other than `skipped`. */
  readonly turns: number
  /** `attempts` ÷ `turns`. */
  readonly callsPerTurn: number | null
  /** 429s ÷ attempts; null where it is not known (by tag). */
  readonly rate429: number | null
  /** What limiter and backoff took, all turns together, milliseconds. */
  readonly waitMs: number | null
  /** From its start to its end; null by tag, and where the run has no end or was resumed. */
  readonly runMs: number | null
}

export interface QuotaReview {
  readonly baseline: UsageFigures
  readonly candidate: UsageFigures
  /**
   * Asked once a night: calls a month (365.25 ÷ 12 nights) that the candidate takes more (or fewer, below 0); null
   * where a run is half done.
   */
  readonly monthly: CallRange | null
  /** Null where no allowance is known. */
  readonly allowance: AllowanceReview | null
  readonly byTag: Readonly<
    Record<string, { readonly baseline: UsageFigures; readonly candidate: UsageFigures }>
  >
}

/** The allowance that `--quota` names, or the candidate's run recorded. */
export interface AllowanceReview extends Quota {
  /** Each run's `max` ÷ the allowance. */
  readonly shareOfQuota: { readonly baseline: number; readonly candidate: number }
  /** `monthly` ÷ a month's allowance; null where `monthly` is. */
  readonly monthlyShare: CallRange | null
}

export interface PercentileChange {
  readonly baseline: number | null
  readonly candidate: number | null
  readonly difference: MeasuredDifference | null
  readonly p: number | null
}

/**
 * Of turns that were answered in both runs, milliseconds; waiting is never mixed in. Bounds and p are null where too
 * few threads lie beyond a percentile, and for waiting always: turns wait for one limiter, and so not by chance of theirs.
 */
export interface LatencyReview {
  readonly turns: number
  readonly service: Readonly<Record<'p50' | 'p90' | 'p95' | 'p99', PercentileChange>>
  readonly wait: Readonly<Record<'p50' | 'p90' | 'p95' | 'p99', PercentileChange>>
}
