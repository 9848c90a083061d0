// A comparison of two runs: `comparison.json`, the rows of `comparison.csv`, and what reports show of them.
import type { AnswerKind, ChangeKind, QuestionState } from './changes.ts'
import type { NamedQuestion, PageTurn } from './conversations.ts'
import type { Message } from './message.ts'
import type { UsageRange } from './quota.ts'
import type { Reviewing } from './review.ts'
import type { ListedQuestion, RunState } from './summary.ts'
import type { GradedTurn } from './turn.ts'

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

export const DEFAULT_RULES: readonly GateRule[] = ['must-pass', 'grounding', 'verdicts']

export interface Comparison {
  readonly formatVersion: 2
  readonly harnessVersion: string
  /** `done`: no rule was judged (`--fail-on none`). */
  readonly verdict: 'passed' | 'failed' | 'done'
  readonly exitCode: number
  readonly reason: string
  readonly runs: readonly [baseline: ComparedRunFacts, candidate: ComparedRunFacts]
  readonly options: ComparisonOptions
  /** One: scripts read the file, in which version 0.3 could hold several. */
  readonly candidates: readonly [CandidateComparison]
  readonly notes: readonly Message[]
}

export interface ComparedRunFacts {
  readonly label: string
  readonly id: string
  readonly target: string
  readonly startedAt: string | null
  readonly state: RunState
  readonly questions: number
}

export interface ComparisonOptions {
  readonly failOn: readonly GateRule[]
  /** `failOn` was given; then a rule without anything to judge fails. */
  readonly areNamed: boolean
  readonly alpha: number
  /** A share. Only a larger loss fails a gate. */
  readonly margin: number
  /** Share of the questions that must be in both runs. */
  readonly minOverlap: number
  readonly groundedSources: readonly string[]
}

export interface ComparedTotals {
  /** Questions, not turns. */
  readonly overlap: {
    readonly shared: number
    /** In both runs by their id, but with another text: no gate and no figure counts them. */
    readonly edited: number
    readonly baseline: number
    readonly candidate: number
    /** Shared ÷ all questions of both runs, an edited one counted once; null if there are none. */
    readonly share: number | null
    /** Too low to compare: differences are null, and every gate fails. */
    readonly isLow: boolean
  }
  readonly grounding: GatedShareComparison
  readonly verdicts: GatedShareComparison
  /** Answered ÷ sent; turns skipped after an error count as sent. */
  readonly availability: ShareComparison
  /** Milliseconds, over turns that were answered in both runs. */
  readonly latency: { readonly p50: PercentileChange; readonly p95: PercentileChange }
  readonly quota: { readonly baseline: UsageFigures; readonly candidate: UsageFigures }
}

export interface ChangedQuestions {
  readonly added: readonly ListedQuestion[]
  readonly removed: readonly ListedQuestion[]
  /** Questions by kind of change. A question may have several. */
  readonly counts: Readonly<Record<ChangeKind, number>>
  /** Pairs of answers by how they differ. */
  readonly answers: Readonly<Record<AnswerKind, number>>
  /** In the order of the candidate's set; at most ten thousand. */
  readonly changes: readonly QuestionChange[]
  /** Edited questions, in none of the figures above. Likewise at most ten thousand. */
  readonly edited: readonly QuestionChange[]
}

export interface CandidateComparison extends ComparedTotals, ChangedQuestions {
  readonly verdict: 'passed' | 'failed' | 'done'
  readonly reason: string
  readonly gates: readonly { readonly rule: GateRule; readonly passed: boolean; readonly reason: Message }[]
  readonly notes: readonly Message[]
  readonly articles?: ArticleEdits
}

export interface ArticleEdits {
  /**
   * By digest. `answers`: changed answers that are likely from it; null where no question of both runs is
   * answered from it or near it.
   */
  readonly edited: readonly {
    readonly article: string
    readonly title: string
    readonly answers: number | null
  }[]
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Changed facts of answers, such as `30 minutes → 20 minutes`, by their likely source. */
  readonly facts: readonly FactOfArticle[]
  /** Facts that an edited article no longer gives, and answers still do. */
  readonly stale: readonly FactOfArticle[]
}

export interface FactOfArticle {
  readonly article: string
  readonly title: string
  readonly fact: string
  readonly questions: readonly ListedQuestion[]
}

export type GateResult = CandidateComparison['gates'][number]

/** Candidate − baseline, with its 95 % interval; bounds are null for fewer than five threads. */
export interface MeasuredDifference {
  readonly estimate: number
  readonly low: number | null
  readonly high: number | null
}

/** A share over the questions that have a value in both runs; repeats count as one value. */
export interface ShareComparison {
  readonly questions: number
  readonly baseline: number | null
  readonly candidate: number | null
  readonly difference: MeasuredDifference | null
  /** Two-sided, for no difference; null if there is nothing to test. */
  readonly p: number | null
  readonly test: 'exact McNemar' | 'bootstrap and sign flips over threads' | null
}

export interface GatedShareComparison extends ShareComparison {
  /** The smallest drop that the gate detects with 80 % power; null if it detects none. */
  readonly detectableDrop: number | null
}

/** Bounds and p are null if fewer than three threads have turns beyond the percentile. */
export type PercentileChange = Pick<ShareComparison, 'baseline' | 'candidate' | 'difference' | 'p'>

export interface UsageFigures extends UsageRange {
  /** Attempts ÷ turns sent. */
  readonly callsPerTurn: number | null
  /** `max` ÷ the allowance; null without one. */
  readonly shareOfQuota: number | null
}

export interface ChangedFact {
  readonly kind: string
  readonly text: string
}

/** For reports: a word such as "nothing" alone is unclear. */
export const factText = ({ kind, text }: ChangedFact): string =>
  kind === 'negation' ? `negation: ${text}` : text

/** A question in one run: the repeat that shows the change. Source and rates are over all repeats. */
export interface ComparedSide extends Pick<QuestionState, 'groundingRate' | 'passRate'> {
  readonly repeat: number
  /** The answer's `contextSource`, or in brackets why it does not count: `(error)`, `(not sent)`, … */
  readonly source: string
  readonly outcome: PageTurn['outcome']
  /** A sentence for each expectation that was not met, or why the turn failed. */
  readonly failures: readonly string[]
  readonly latencyMs: number | null
}

/** `id` is the candidate's. */
export interface QuestionChange extends NamedQuestion {
  /** The baseline's text of an edited question; null for any other. */
  readonly baselineMessage: string | null
  readonly kinds: readonly ChangeKind[]
  readonly baseline: ComparedSide
  readonly candidate: ComparedSide
  /** Token F1 of the two answers, 0 to 1; null if a run has none. */
  readonly similarity: number | null
  readonly factsLost: readonly ChangedFact[]
  readonly factsGained: readonly ChangedFact[]
}

/** A row of `comparison.csv`: a question of either run, changed or not. */
export interface ComparisonRow extends Omit<QuestionChange, 'baseline' | 'candidate'> {
  readonly presence: 'both' | 'added' | 'removed' | 'edited'
  readonly answers: AnswerKind | null
  /** Null if the run does not have the question. */
  readonly baseline: (ComparedSide & { readonly answer: string | null }) | null
  readonly candidate: (ComparedSide & { readonly answer: string | null }) | null
  /** The candidate's repeat that shows the change; null if the candidate does not have the question. */
  readonly graded: GradedTurn | null
  /** The review of the candidate's answer; null without an answer, or without reviews. */
  readonly reviewing: Reviewing | null
}
