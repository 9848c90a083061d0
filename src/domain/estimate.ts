// The cost of a run before its first call: the JSON of `estimate`.
import { digits, duration, rateText } from './format.ts'
import { makeMessage, type Message } from './message.ts'
import type { Quota } from './quota.ts'

/**
 * Calls that count toward the quota, or their share of it (1 is the whole allowance). A 429 does not count.
 */
export interface CallEstimate {
  /** If nothing fails: one for each question and repeat, up to `--max-calls`. */
  readonly base: number
  /** The most in one session: each thread is sent twice (`--on-ambiguous restart`), up to `--max-calls`. */
  readonly worst: number
}

/** One question set, or all. */
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

export interface Estimate extends PartEstimate {
  readonly repeat: number
  readonly longestThread: number
  /** `--max-calls` of this run or shard; null without one. Already in `calls`. */
  readonly maxCalls: number | null
  /** In the order of the sets, each without `--max-calls`. */
  readonly files: readonly (PartEstimate & { readonly path: string })[]
  readonly time: {
    readonly pace: PaceEstimate
    readonly concurrency: number
    /** A lower bound for the base case. Pauses after 429s and failures come on top. */
    readonly ms: number
  }
  /** Of one run; null without `--quota`. */
  readonly quota: (Quota & { readonly shareOfQuota: CallEstimate }) | null
  /** This run every night, for a month. */
  readonly nightly: CallEstimate & { readonly shareOfQuota: CallEstimate | null }
  readonly messages: readonly Message[]
}

export const budgetBelowBase = (maxCalls: number, calls: number): Message =>
  makeMessage(
    'max-calls-below-base',
    `--max-calls permits ${digits(maxCalls)} of ${digits(calls)} calls: the run stops early. It can be ` +
      'resumed.',
    { maxCalls, calls },
  )

export const answerTimeAssumed = (answerMs: number): Message =>
  makeMessage('answer-time-assumed', `Answer time ${duration(answerMs)} is assumed.`, { answerMs })

export const limitNotKnown = (startPerSecond: number): Message =>
  makeMessage(
    'limit-unknown',
    `The limit is not known. The run starts at ${rateText(startPerSecond)}. A lower limit takes ` +
      'longer: set --rate.',
    { startPerSecond },
  )
