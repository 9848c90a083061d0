// The cost of a run before its first call: the JSON of `estimate`.
import type { Message } from './message.ts'
import type { Quota } from './quota.ts'

/** Calls that count toward the quota, which a 429 does not, or their share of it (1 is all). */
export interface CallEstimate {
  /** If nothing fails: one for each question and repeat, up to `--max-calls`. */
  readonly base: number
  /** The most in one session: each thread is sent twice (`--on-ambiguous restart`), up to `--max-calls`. */
  readonly worst: number
}

export interface PartEstimate {
  /** Each counted once, however often it is sent. */
  readonly threads: number
  readonly questions: number
  readonly calls: CallEstimate
}

export type PaceEstimate =
  /** Calls per second, from `--rate`. */
  | { readonly kind: 'paced'; readonly perSecond: number }
  | { readonly kind: 'unlimited' }
  /** `--rate auto`: the run starts at this pace, and finds the limit. */
  | { readonly kind: 'unknown'; readonly startPerSecond: number }
  | ({ readonly kind: 'recorded'; readonly run: string } & RecordedPace)

export interface RecordedPace {
  readonly perSecond: number
  readonly seen:
    | { readonly how: 'announced'; readonly policy: string }
    | { readonly how: 'refused' }
    /** No call was refused; the rate of its calls. */
    | { readonly how: 'accepted'; readonly forMs: number }
}

export interface Estimate extends PartEstimate {
  readonly repeat: number
  readonly longestThread: number
  /** `--max-calls` of this run or shard; null without one. Already in `calls`. */
  readonly maxCalls: number | null
  /** One for each set, without `--max-calls`. */
  readonly files: readonly (PartEstimate & { readonly path: string })[]
  readonly time: {
    readonly pace: PaceEstimate
    readonly concurrency: number
    /** The time of one answer: assumed, or the mean of the run that `--from` names. */
    readonly answerMs: number
    /**
     * The time of the base case; pauses after 429s and failures come on top. It is the most where the limit
     * is not known, unless that is below the starting pace.
     */
    readonly ms: number
    readonly bound: 'at least' | 'at most'
  }
  readonly quota: (Quota & { readonly shareOfQuota: CallEstimate }) | null
  /** This run every night, for a month. */
  readonly nightly: CallEstimate & { readonly shareOfQuota: CallEstimate | null }
  readonly messages: readonly Message[]
}
