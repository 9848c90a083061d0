// The cost of a run before its first call: the JSON of `estimate`.
import type { Message } from './format.ts'
import type { Quota } from './quota.ts'

/** Calls that get a 429 do not count toward the quota. A share of 1 is all of it. */
export interface CallEstimate {
  /** Each question and repeat has one call, up to `--max-calls`, if nothing fails. */
  readonly base: number
  /** Each thread is sent twice in one session (`--on-ambiguous restart`), up to `--max-calls`. */
  readonly worst: number
}

export interface PartEstimate {
  readonly threads: number
  readonly questions: number
  readonly calls: CallEstimate
}

export type PaceEstimate =
  | { readonly kind: 'paced'; readonly perSecond: number }
  | { readonly kind: 'unlimited' }
  /** The run starts at this pace (`--rate auto`), and finds the limit. */
  | { readonly kind: 'unknown'; readonly startPerSecond: number }
  | ({ readonly kind: 'recorded'; readonly run: string } & RecordedPace)

export interface RecordedPace {
  readonly perSecond: number
  readonly seen:
    | { readonly how: 'announced'; readonly policy: string }
    | { readonly how: 'refused' }
    /** No call was refused, so the rate is that of its calls. */
    | { readonly how: 'accepted'; readonly forMs: number }
}

export interface Estimate extends PartEstimate {
  readonly repeat: number
  readonly longestThread: number
  /** `calls` already obeys it; null without one. */
  readonly maxCalls: number | null
  /** Each set has one, without `--max-calls`. */
  readonly files: readonly (PartEstimate & { readonly path: string })[]
  readonly time: {
    readonly pace: PaceEstimate
    readonly concurrency: number
    /** The mean time of an answer comes from the run that `--from` names, or is assumed. */
    readonly answerMs: number
    /**
     * The base case takes this; pauses after 429s and failures come on top. Without the limit no bound is
     * known: it is less where that is above the starting pace.
     */
    readonly ms: number
    readonly bound: 'at least' | 'about'
  }
  readonly quota: (Quota & { readonly shareOfQuota: CallEstimate }) | null
  readonly nightly: CallEstimate & { readonly shareOfQuota: CallEstimate | null }
  readonly messages: readonly Message[]
}
