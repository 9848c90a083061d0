// What a run is going to cost, before its first call: what `estimate --json` prints, and what `run` says before it starts.
import type { Quota, QuotaPeriod } from './quota.ts'

/** Calls that count toward the quota. */
export interface CallEstimate {
  /** If nothing fails: one for each question and repeat. */
  readonly base: number
  /** What may be counted in one sitting at most, restarts included; 429s come on top, uncounted. */
  readonly worst: number
}

/** One file, one tag, or all. */
export interface PartEstimate {
  /** Conversations, each counted once, however often it is asked. */
  readonly threads: number
  readonly questions: number
  readonly calls: CallEstimate
  /** Of the questions as they are sent in the base case: words by white space, characters by code point. */
  readonly words: number
  readonly characters: number
}

export interface TotalEstimate extends PartEstimate {
  readonly calls: CallEstimate & {
    /** Part of `worst`: what restarts after lost answers add. */
    readonly restarts: number
    /** Requests that may be sent at most, 429s and refused connections included: what `--max-calls` counts. */
    readonly worstAttempts: number
    /** `--max-calls`, less what earlier sittings sent; null for no end. Already in `worst`. */
    readonly maxCalls: number | null
  }
  /** Turns of the longest thread. */
  readonly longestThread: number
}

/** Where a figure comes from: said, or taken for want of a better one. */
export type Source = 'given' | 'assumed'

export type PaceEstimate =
  /** Calls a second, as `--rate` says. */
  | { readonly kind: 'paced'; readonly perSecond: number }
  | { readonly kind: 'unlimited' }
  /** `--rate auto` before the limit was ever met: it begins so fast, and finds out. */
  | { readonly kind: 'unknown'; readonly startPerSecond: number }

/** Milliseconds. Of the base case: pauses after 429s and failures come on top. */
export interface TimeEstimate {
  readonly pace: PaceEstimate
  /** Calls in flight at most. */
  readonly concurrency: number
  /** Time to an answer, mean over the calls, and where it comes from; both null where no call is made. */
  readonly answerMs: number | null
  readonly answerSource: Source | null
  /** No order of the calls is faster: by the pace, by the longest thread's chain, by the calls in flight. */
  readonly atLeastMs: {
    /** Null where no pace holds anything back, or none is known. */
    readonly pace: number | null
    readonly longestThread: number
    readonly concurrency: number
  }
  /** As the runner will order them; with an unknown pace, from no limit met to a limit at the pace it begins with. */
  readonly expectedMs: { readonly low: number; readonly high: number }
  /** The same of a run that `--max-calls` ends before all is asked; null where it does not. */
  readonly withinBudgetMs: { readonly low: number; readonly high: number } | null
}

export interface UseEstimate {
  /** Runs in a period in which there is one, on the mean. */
  readonly runs: number
  readonly base: number
  readonly worst: number
  /** ÷ the allowance; null without one. */
  readonly shareOfQuota: { readonly base: number; readonly worst: number } | null
}

/** In the allowance's period; in a month without one. */
export interface NightlyUse {
  readonly period: QuotaPeriod
  readonly nightly: UseEstimate
}

export interface FileEstimate extends PartEstimate {
  readonly path: string
  readonly use: NightlyUse
}

export interface QuotaEstimate extends Quota {
  /** Of one run. */
  readonly shareOfQuota: { readonly base: number; readonly worst: number }
  /** Whole runs that the allowance is enough for. */
  readonly runs: { readonly base: number; readonly worst: number }
}

export interface Estimate extends TotalEstimate {
  /** How often each question is asked. */
  readonly repeat: number
  /** In the order of the sets; their own part of `worst`, without `--max-calls`. */
  readonly files: readonly FileEstimate[]
  /** Questions of the tag alone, wherever they stand: tags do not add up where a question has several. */
  readonly tags: Readonly<Record<string, PartEstimate>>
  readonly time: TimeEstimate
  readonly quota: QuotaEstimate | null
  readonly use: NightlyUse
}
