// A comparison of two runs, as `comparison.json` holds it.
import type { AnswerKind, Change, ChangeKind } from './changes.ts'
import type { Message } from './format.ts'
import type { UsageRange } from './quota.ts'
import type { ListedQuestion, RunState } from './summary.ts'

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
  /** It is `done` if no rule was judged (`--fail-on none`). */
  readonly verdict: 'passed' | 'failed' | 'done'
  readonly exitCode: number
  readonly reason: string
  readonly runs: readonly [baseline: ComparedRun, candidate: ComparedRun]
  readonly options: ComparisonOptions
  /** Scripts read the file, in which version 0.3 could hold several. */
  readonly candidates: readonly [CandidateComparison]
  readonly notes: readonly Message[]
}

interface ComparedRun {
  readonly label: string
  readonly id: string
  readonly target: string
  readonly startedAt: string | null
  readonly state: RunState
  readonly questions: number
  readonly sets: readonly string[]
  readonly articles: string | null
}

export interface ComparisonOptions {
  readonly failOn: readonly GateRule[]
  /** A rule without anything to judge fails if `failOn` was given. */
  readonly areNamed: boolean
  readonly alpha: number
  /** Only a larger loss of this share fails a gate. */
  readonly margin: number
  readonly minOverlap: number
  readonly groundedSources: readonly string[]
}

export interface CandidateComparison extends Totals {
  readonly verdict: Comparison['verdict']
  readonly reason: string
  readonly added: readonly ListedQuestion[]
  readonly removed: readonly ListedQuestion[]
  readonly counts: Readonly<Record<ChangeKind, number>>
  readonly answers: Readonly<Record<AnswerKind, number>>
  /** There are at most ten thousand, in the order of the candidate's set. */
  readonly changes: readonly Change[]
  /** No figure above counts these. There are at most ten thousand. */
  readonly edited: readonly Change[]
  readonly gates: readonly GateResult[]
  readonly notes: readonly Message[]
  readonly articles?: ArticleEdits
}

export interface GateResult {
  readonly rule: GateRule
  readonly passed: boolean
  readonly reason: Message
}

/** Figures are over questions, not turns: repeats count as one value. */
export interface Totals {
  readonly overlap: {
    readonly shared: number
    /** The text differs, the id does not: no gate and no figure counts these. */
    readonly edited: number
    readonly baseline: number
    readonly candidate: number
    /** The share is shared ÷ all questions, an edited one counted once; null if there are none. */
    readonly share: number | null
    /** It is too low to compare: differences are null, and every gate fails. */
    readonly isLow: boolean
  }
  readonly grounding: GatedShare
  readonly verdicts: GatedShare
  /** The rate is answered ÷ sent; turns skipped after an error count as sent. */
  readonly availability: ComparedShare
  /** Milliseconds are over turns that were answered in both runs. */
  readonly latency: { readonly p50: ComparedFigure; readonly p95: ComparedFigure }
  readonly quota: { readonly baseline: UsageFigures; readonly candidate: UsageFigures }
}

export interface ComparedFigure {
  readonly baseline: number | null
  readonly candidate: number | null
  /** It is candidate − baseline, with its 95 % interval; bounds are null for too few threads. */
  readonly difference: {
    readonly estimate: number
    readonly low: number | null
    readonly high: number | null
  } | null
  readonly p: number | null
}

export interface ComparedShare extends ComparedFigure {
  readonly questions: number
  readonly test: 'exact McNemar' | 'sign flips over threads' | null
}

interface GatedShare extends ComparedShare {
  /** The gate detects this drop with 80 % power; null if it detects none. */
  readonly detectableDrop: number | null
}

export interface UsageFigures extends UsageRange {
  readonly callsPerTurn: number | null
  readonly shareOfQuota: number | null
}

export interface ArticleEdits {
  /** Changed `answers` are likely from it; null where none of both runs is from it or near it. */
  readonly edited: readonly {
    readonly article: string
    readonly title: string
    readonly answers: number | null
  }[]
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Changed facts, such as `30 minutes → 20 minutes`, stand by their likely source. */
  readonly facts: readonly FactOfArticle[]
  /** An edited article no longer gives these facts, and answers still do. */
  readonly stale: readonly FactOfArticle[]
}

export interface FactOfArticle {
  readonly article: string
  readonly title: string
  readonly fact: string
  readonly questions: readonly ListedQuestion[]
}
