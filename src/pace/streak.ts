// Refusals that follow each other closely, and what was admitted from the first of them on.
import type { Admissions } from './admissions.ts'

/** Calls whose time is measured where no streak says more. */
const FEWEST_CALLS = 15
const TRAILING_CALLS = 40
/** Refusals with fewer calls than this between them belong together. */
const STREAK_CALLS = 40
/** A streak this young is measured from its first refusal: the trailing calls still hold the burst before it. */
const FEWEST_SINCE_USED_UP = 4
const MOST_SINCE_USED_UP = 8
/** In the streak that ends the ramp one call is enough: the ramp overshoots by far, and a cut by half costs a refusal. */
const FEWEST_AFTER_RAMP = 1

export interface Streak {
  /** The gate, which had closed at `closedAt`, opened again. */
  onOpening(closedAt: number): void
  /** Calls a second up to `end`, from when the limit was used up or from the latest calls; undefined for too few. */
  measure(end: number): number | undefined
  /** Whether this is the streak that ended the ramp, and something was admitted in it. */
  isSureAfterRamp(lastRefusalAt: number): boolean
}

/** `hasRamp`: false where the limit was known from the start, so that the first streak is like any other. */
export function createStreak(admissions: Admissions, hasRamp: boolean): Streak {
  /** When the first refusal of the streak came; the burst before it is not repeated. */
  let usedUpSince: number | undefined
  /** Likewise, of the first streak of all. */
  let rampEndedAt: number | undefined = hasRamp ? undefined : -Infinity
  let lastClosedAt = -Infinity

  return {
    onOpening: (closedAt) => {
      if (usedUpSince === undefined || admissions.count(lastClosedAt, closedAt) > STREAK_CALLS)
        usedUpSince = closedAt
      rampEndedAt ??= usedUpSince
      lastClosedAt = closedAt
    },
    measure: (end) => {
      const calls = usedUpSince === undefined ? 0 : admissions.count(usedUpSince, end)
      const fewest = usedUpSince === rampEndedAt ? FEWEST_AFTER_RAMP : FEWEST_SINCE_USED_UP
      if (usedUpSince !== undefined && calls >= fewest && calls <= MOST_SINCE_USED_UP)
        return rateBetween(admissions, usedUpSince, end)
      const from = admissions.since(TRAILING_CALLS) ?? admissions.firstAt
      if (from === undefined || admissions.count(from, end) < FEWEST_CALLS) return undefined
      return rateBetween(admissions, from, end)
    },
    isSureAfterRamp: (lastRefusalAt) =>
      usedUpSince !== undefined &&
      usedUpSince === rampEndedAt &&
      admissions.count(usedUpSince, lastRefusalAt) >= FEWEST_AFTER_RAMP,
  }
}

/** Calls a second admitted from `from` to `to`, milliseconds. */
export function rateBetween(admissions: Admissions, from: number, to: number): number {
  return (admissions.count(from, to) * 1000) / Math.max(1, to - from)
}
