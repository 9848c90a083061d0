// What two runs took of the quota and of time.
import type { CallRange, Quota } from '../quota.ts'
import type { MeasuredDifference } from './shares.ts'

/** What one run took of the quota and of time. */
export interface UsageFigures {
  readonly attempts: number
  /** Usage is between these. */
  readonly min: number
  readonly max: number
  /** Turns asked: those with an outcome other than `skipped`. */
  readonly turns: number
  /** `attempts` ÷ `turns`. */
  readonly callsPerTurn: number | null
  /** 429s ÷ attempts; null where it is not known (by tag). */
  readonly rate429: number | null
  /** What limiter and backoff took, all turns together, milliseconds. */
  readonly waitMs: number | null
  /** From its start to its end; null by tag, and where the run has no end or was resumed. */
  readonly runMs: number | null
}

export interface QuotaReview {
  readonly baseline: UsageFigures
  readonly candidate: UsageFigures
  /**
   * Asked once a night: calls a month (365.25 ÷ 12 nights) that the candidate takes more (or fewer, below 0); null
   * where a run is half done.
   */
  readonly monthly: CallRange | null
  /** Null where no allowance is known. */
  readonly allowance: AllowanceReview | null
  readonly byTag: Readonly<
    Record<string, { readonly baseline: UsageFigures; readonly candidate: UsageFigures }>
  >
}

/** The allowance that `--quota` names, or the candidate's run recorded. */
export interface AllowanceReview extends Quota {
  /** Each run's `max` ÷ the allowance. */
  readonly shareOfQuota: { readonly baseline: number; readonly candidate: number }
  /** `monthly` ÷ a month's allowance; null where `monthly` is. */
  readonly monthlyShare: CallRange | null
}

export interface PercentileChange {
  readonly baseline: number | null
  readonly candidate: number | null
  readonly difference: MeasuredDifference | null
  readonly p: number | null
}

/**
 * Of turns that were answered in both runs, milliseconds; waiting is never mixed in. Bounds and p are null where too
 * few threads lie beyond a percentile, and for waiting always: turns wait for one limiter, and so not by chance of theirs.
 */
export interface LatencyReview {
  readonly turns: number
  readonly service: Readonly<Record<'p50' | 'p90' | 'p95' | 'p99', PercentileChange>>
  readonly wait: Readonly<Record<'p50' | 'p90' | 'p95' | 'p99', PercentileChange>>
}
