// What changed between runs: what `comparison.json` and `comparison.csv` hold, and what their renderers read.
import type { AnswerKind, ChangeKind } from './changes.ts'
import type { Message } from './messages.ts'
import type { Outcome } from './outcome.ts'
import type { UsageRange } from './quota.ts'
import type { AwaitedReview, ReviewCounts, Reviewing } from './review.ts'
import type { RunState } from './summary.ts'

export const GATE_RULES = [
  'must-pass',
  'grounding',
  'verdicts',
  'newly-failing',
  'availability',
  'latency',
  'quota',
] as const
export type GateRule = (typeof GATE_RULES)[number]

export interface Comparison {
  readonly formatVersion: 2
  readonly harnessVersion: string
  readonly verdict: 'passed' | 'failed'
  readonly exitCode: number
  readonly reason: string
  /** Baseline first. */
  readonly runs: readonly ComparedRunFacts[]
  readonly options: ComparisonOptions
  readonly candidates: readonly CandidateComparison[]
  /** With more than two runs; empty for two. */
  readonly trend: readonly Trend[]
  readonly notes: readonly Message[]
}

export interface ComparedRunFacts {
  /** Its folder's name, by which reports call it. */
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

export interface ComparisonOptions {
  readonly failOn: readonly GateRule[]
  /** Whether the rules were named; then a rule without anything to judge fails. */
  readonly areNamed: boolean
  /** Of the whole gate: shared by its tests. */
  readonly alpha: number
  /** A share; a loss must be larger to fail a gate. */
  readonly margin: number
  /** Share of the questions that must be in both runs. */
  readonly minOverlap: number
  readonly groundedSources: readonly string[]
  readonly seed: number
  /** Folders of earlier runs, from which questions are known to have changed before. */
  readonly history: readonly string[]
}

/** One candidate against the baseline. */
export interface CandidateComparison {
  /** Place in `runs`. */
  readonly run: number
  readonly overlap: OverlapReview
  readonly added: readonly ListedQuestion[]
  readonly removed: readonly ListedQuestion[]
  /** The same id, another text: their answers are not compared. */
  readonly edited: readonly { readonly id: string; readonly baseline: string; readonly candidate: string }[]
  /** How many questions changed in each way; of a question several may hold. */
  readonly counts: Readonly<Record<ChangeKind, number>>
  /** Pairs of answers by how they differ. */
  readonly answers: Readonly<Record<AnswerKind, number>>
  /** In the order of the candidate's set; at most ten thousand. */
  readonly changes: readonly QuestionChange[]
  readonly grounding: GroundingReview
  readonly verdicts: FamilyReview
  /** Answered ÷ asked; skipped after an error counts as asked. */
  readonly availability: ShareReview
  /** Milliseconds, of turns that were answered in both runs. */
  readonly latency: {
    readonly turns: number
    readonly p50: PercentileChange
    readonly p95: PercentileChange
  }
  readonly quota: QuotaReview
  readonly settings: readonly SettingDifference[]
  /** Of the candidate's answers to questions of both runs; null where no review is known. */
  readonly reviews: CandidateReviews | null
  readonly gates: readonly GateResult[]
  readonly notes: readonly Message[]
}

/** Questions, not turns. */
export interface OverlapReview {
  readonly shared: number
  /** Of those shared: the same text under another id. */
  readonly renamed: number
  readonly edited: number
  readonly baseline: number
  readonly candidate: number
  /** Shared ÷ questions that either run has, an edited one once; null where neither has any. */
  readonly share: number | null
  /** Too low to compare the whole: differences are null, and every gate fails. */
  readonly isLow: boolean
}

export interface ListedQuestion {
  readonly id: string
  readonly message: string
}

/** Candidate − baseline, with its 95 % interval; bounds are null on fewer than five threads. */
export interface MeasuredDifference {
  readonly estimate: number
  readonly low: number | null
  readonly high: number | null
}

/** A share over the questions that have a value in both runs; repeats folded to one value. */
export interface ShareReview {
  readonly questions: number
  readonly threads: number
  readonly baseline: number | null
  readonly candidate: number | null
  readonly difference: MeasuredDifference | null
  /** Two-sided, for no difference; null where there is nothing to test. */
  readonly p: number | null
  readonly test: 'exact McNemar' | 'bootstrap and sign flips over threads' | null
}

export interface FamilyReview extends ShareReview {
  readonly byTag: Readonly<Record<string, TagShare>>
  /** The smallest drop of the share that the gate detects in 4 of 5 cases; null where it detects none. */
  readonly detectableDrop: number | null
}

export interface TagShare {
  readonly questions: number
  readonly baseline: number
  readonly candidate: number
}

export interface GroundingReview extends FamilyReview {
  /** Turns from one source to another, as `ComparedSide` names them; largest first. */
  readonly matrix: readonly { readonly from: string; readonly to: string; readonly count: number }[]
}

/** Bounds and p are null where fewer than three threads have turns beyond the percentile. */
export interface PercentileChange {
  readonly baseline: number | null
  readonly candidate: number | null
  readonly difference: MeasuredDifference | null
  readonly p: number | null
}

/** What one run took of the quota and of time. */
export interface UsageFigures {
  readonly attempts: number
  /** Usage is between these. */
  readonly min: number
  readonly max: number
  /** Attempts ÷ turns asked. */
  readonly callsPerTurn: number | null
  /** 429s ÷ attempts. */
  readonly rate429: number | null
  /** 95th percentile of what limiter and backoff took of a turn, milliseconds. */
  readonly waitP95Ms: number | null
  /** Each `max` ÷ the allowance; null where no allowance is known. */
  readonly shareOfQuota: number | null
}

export interface QuotaReview {
  readonly baseline: UsageFigures
  readonly candidate: UsageFigures
  /** Asked once a night: calls a month that the candidate takes more (or fewer, below 0); null where a run is half done. */
  readonly monthly: UsageRange | null
}

/** A setting that differs between the runs, so that figures may differ for that reason. */
export interface SettingDifference {
  readonly setting: string
  readonly baseline: string
  readonly candidate: string
}

export interface CandidateReviews {
  readonly counts: ReviewCounts
  /** The first of the answers that a person should look at: reviewed ones that say something else, then changed new ones. */
  readonly awaited: readonly AwaitedReview[]
  readonly awaitedCount: number
}

export interface GateResult {
  readonly rule: GateRule
  readonly passed: boolean
  readonly reason: Message
}

/** One figure over all runs, baseline first; null where a run does not have it. */
export interface Trend {
  readonly figure:
    | 'coverage'
    | 'passed'
    | 'errors'
    | 'latency.p50'
    | 'latency.p95'
    | 'callsPerTurn'
    | 'quota.max'
    | 'rate429'
  readonly unit: 'share' | 'ms' | 'calls'
  readonly values: readonly (number | null)[]
}

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
  readonly groundingRate: number | null
  readonly passRate: number | null
  /** Expectations that the answer did not meet, a sentence each; or how the turn failed. */
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
  readonly kinds: readonly ChangeKind[]
  readonly baseline: ComparedSide
  readonly candidate: ComparedSide
  /** Token F1 of the two answers, 0 to 1; null where one run has none. */
  readonly similarity: number | null
  readonly factsLost: readonly ChangedFact[]
  readonly factsGained: readonly ChangedFact[]
}

/** A change with both answers' texts, for people; null where a run has no answer. */
export interface ShownChange extends QuestionChange {
  readonly answers: { readonly baseline: string | null; readonly candidate: string | null }
}

/** What reports show beside the figures: for each candidate the first changes of each kind with their texts. */
export interface ComparisonDetails {
  readonly shown: readonly (readonly ShownChange[])[]
}

/** What the candidate's shown repeat took and came to. Milliseconds; null where nothing was sent. */
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
  readonly answers: AnswerKind | null
  /** Null where the run does not have the question. */
  readonly baseline: (ComparedSide & { readonly answer: string | null }) | null
  readonly candidate: (ComparedSide & { readonly answer: string | null }) | null
  /** Null where the candidate does not have the question. */
  readonly asked: AskedFacts | null
  /** What people think of the candidate's answer; null without an answer, or where no review is known. */
  readonly reviewing: Reviewing | null
}
