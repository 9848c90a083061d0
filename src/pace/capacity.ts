// What a limit allows, measured when it opens again: calls admitted over the time that it was used up in.
import type { Admissions } from './admissions.ts'

/** Calls whose time is measured while the limiter's memory is unknown. */
const FEWEST_CALLS = 15
const TRAILING_CALLS = 40
/** Refusals with fewer calls than this between them belong together. */
const STREAK_CALLS = 40
/** A streak this young is measured from its first refusal: the trailing calls still hold the burst before it. */
const FEWEST_SINCE_USED_UP = 4
const MOST_SINCE_USED_UP = 8
/** An estimate is never cut by more than half at once: a measurement over a short time may mislead. */
const DEEPEST_CUT = 0.5
/** No pace falls below one call in about three hours. */
const SLOWEST = 1e-4

export interface Opening {
  /** When the gate closed, and when the probe that was admitted was sent. */
  readonly closedAt: number
  readonly openedAt: number
  readonly lastRefusalAt: number
  readonly failedProbes: number
  /** The endpoint named the wait. */
  readonly isNamed: boolean
  /** Calls a second at the closing, and what the capacity was thought to be. */
  readonly pace: number
  readonly capacity: number
  /** The limit had not been met before. */
  readonly isFirst: boolean
}

export interface Measurement {
  readonly capacity: number
  /** Pace that the limit may well allow although the measurement says less; 0 where it says what it says. */
  readonly returnTo: number
  /** The wait that was named cost more than the limit needed. */
  readonly isMisled: boolean
}

export interface CapacityMeter {
  measure(opening: Opening): Measurement
  /** The limiter's memory, milliseconds: the longest time between an opening and the next; 0 if unknown. */
  readonly memoryMs: number
  /** When the limiter last opened after having been used up. */
  readonly openedAt: number | undefined
}

export function createCapacityMeter(admissions: Admissions): CapacityMeter {
  let memoryMs = 0
  let openedAt: number | undefined
  let countBefore: number | undefined
  /** Whether named waits end windows of one and the same count; undefined until two have been seen. */
  let isWindow: boolean | undefined

  const rateOver = (from: number, to: number): number =>
    (admissions.count(from, to) * 1000) / Math.max(1, to - from)

  /** When the first refusal came of those that followed each other closely; the burst before it is not repeated. */
  let usedUpSince: number | undefined
  let lastClosedAt = -Infinity

  /** Without the limiter's memory: the latest calls, which drew near the limit. */
  const measureTrailing = (end: number): number | undefined => {
    const from = admissions.since(TRAILING_CALLS) ?? admissions.firstAt
    const calls = usedUpSince === undefined ? 0 : admissions.count(usedUpSince, end)
    if (usedUpSince !== undefined && calls >= FEWEST_SINCE_USED_UP && calls <= MOST_SINCE_USED_UP)
      return rateOver(usedUpSince, end)
    if (from === undefined || admissions.count(from, end) < FEWEST_CALLS) return undefined
    return rateOver(from, end)
  }

  const measureOver = (end: number): number | undefined => {
    if (memoryMs === 0) return measureTrailing(end)
    return rateOver(Math.max(end - memoryMs, admissions.firstAt ?? end), end)
  }

  return {
    measure: (opening) => {
      const { closedAt, openedAt: now, lastRefusalAt, failedProbes, pace, capacity, isFirst } = opening
      if (usedUpSince === undefined || admissions.count(lastClosedAt, closedAt) > STREAK_CALLS)
        usedUpSince = closedAt
      lastClosedAt = closedAt
      const since = openedAt ?? admissions.firstAt ?? now
      const isNamedAlone = opening.isNamed && failedProbes === 0
      const count = admissions.count(since, now)
      const rateToRefusal = (count * 1000) / Math.max(1, lastRefusalAt - since)
      if (isNamedAlone) {
        // Windows let the same number through each time, however fast it was used up; buckets do not.
        if (countBefore !== undefined) isWindow = Math.abs(count - countBefore) <= 2 + 0.03 * countBefore
        countBefore = count
      }
      const isMisled = isNamedAlone && isWindow === false
      const closedForMs = now - closedAt
      const isHeavy = !isMisled && (failedProbes >= 2 || closedForMs > Math.max(2000, 5000 / pace))
      if (isHeavy) memoryMs = Math.max(memoryMs, Math.min(now - since, 4 * closedForMs))

      // A light episode says nothing of the time after its last refusal: that wait may have been too long.
      const measured = isMisled
        ? 0.97 * rateToRefusal
        : measureOver(isHeavy ? now : lastRefusalAt + 1000 / pace)
      if (isHeavy || isMisled) openedAt = now
      const floor = !isHeavy && isFirst ? pace * DEEPEST_CUT : capacity * DEEPEST_CUT
      const bounded = measured === undefined ? pace * DEEPEST_CUT : Math.max(measured, floor)
      const known = Math.max(pace, capacity)
      return {
        capacity: Math.max(SLOWEST, measured === undefined ? bounded : Math.min(known, bounded)),
        returnTo: isNamedAlone && isWindow !== true ? 0.8 * Math.min(rateToRefusal, known) : 0,
        isMisled,
      }
    },
    get memoryMs() {
      return memoryMs
    },
    get openedAt() {
      return openedAt
    },
  }
}
