// What the search for a limit is allowed, and when it knows enough.
import type { CallSeen, LimitFinding } from '../../domain/limit-finding.ts'

export interface FindLimitOptions {
  /** Calls at most, refused ones included. */
  readonly budget: number
  /** Milliseconds at most; calls in flight may end a little later. */
  readonly maxMs: number
  readonly maxInFlight: number
  /** Calls a second, never more, not even in a burst. */
  readonly maxPerSecond: number
  /**
   * Once the limit is known, the search goes on at that rate until it has watched for this long, milliseconds, or has
   * used half of the budget left: a second limit may lie behind the first.
   */
  readonly watchMs: number
  /** Reads the calls so far. Must be quick: it is asked after every experiment. */
  readonly judge: (calls: readonly CallSeen[]) => LimitFinding
}

export type Step =
  /** Send one call, now. */
  | { readonly kind: 'send' }
  /** Nothing before this time, or before an answer comes; Infinity: only an answer helps. */
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'done'; readonly why: WhyDone }

/** `known`: narrow enough; `unmet`: nothing was refused within the budget. */
export type WhyDone = 'known' | 'unmet' | 'budget' | 'time'
