// What changed between runs: what `comparison.json` holds, and what its renderers read.
import type { GateRule } from './rules.ts'
import type { AwaitedReview, ReviewCounts } from '../review.ts'
import type { RunState } from '../summary.ts'
import type { AnswerReview, QuestionChange, ShownChange } from './change.ts'
import type { LatencyReview, QuotaReview } from './costs.ts'
import type { AvailabilityReview, GroundingReview, VerdictReview } from './shares.ts'

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
