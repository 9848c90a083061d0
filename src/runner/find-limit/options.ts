// What the search for a limit is allowed, and when it knows enough.
import type { CallSeen, LimitFinding } from '../../domain/limit-finding.ts'
import type { FindLimitSettings } from '../../domain/load/find-limit.ts'

/**
 * Calls in flight may end a little after `maxMs`. Once the limit is known, the search goes on at that rate until `watchMs`
 * are over, or half of the budget left is used: a second limit may lie behind the first.
 */
export interface FindLimitOptions extends FindLimitSettings {
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
