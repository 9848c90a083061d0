// What a limit allows, measured when it opens again: calls admitted over the time that it was used up in.
import type { Admissions } from './admissions.ts'
import { ROUND_WINDOWS } from './episode.ts'
import { createStreak, rateBetween } from './streak.ts'

/** An estimate is not cut deeper than to this at once: a measurement over a short time may mislead. */
const DEEPEST_CUT = 0.5
/** Deeper where it was measured from empty to empty, or over a closed time that we found out ourselves. */
const DEEPEST_SURE_CUT = 0.25
/** A light refusal after so many calls since the opening does not take the pace below so much of what they kept up. */
const KEPT_UP_CALLS = 30
const KEPT_UP = 0.85
/** Likewise for a short window: the wait before the opening, which is the larger part of it, was hardly needed. */
const KEPT_UP_IN_SHORT_WINDOW = 0.96
/** A limiter that remembers no more than this is tried again cheaply: a wrong guess costs a wait of a second or two. */
const CHEAP_MEMORY_MS = 6000
/**
 * In so short a memory the slow beginning of the ramp weighs much. The truth lies between what was admitted in it and the
 * fullest round window in it; this far towards that one.
 */
const TOWARDS_FULLEST = 0.65
/** A named wait this short against the limiter's memory may be longer than was needed. */
const SHORT_NAMED_WAIT = 0.2
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
  /** The refusals may have been for calls at once: the rate says nothing then. */
  readonly mayBeAtOnce: boolean
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
  /** Whether the limiter is known to remember a few seconds only, as a short window does. */
  readonly isShort: boolean
}

/** `found`: what another policy found out of a limit that it met: its memory, and when it opened. */
export function createCapacityMeter(
  admissions: Admissions,
  found: Pick<CapacityMeter, 'memoryMs' | 'openedAt'> | undefined,
): CapacityMeter {
  const streak = createStreak(admissions, found === undefined)
  let { memoryMs, openedAt } = found ?? { memoryMs: 0, openedAt: undefined }
  let countBefore: number | undefined
  /** Whether named waits end windows of one and the same count; undefined until two have been seen. */
  let isWindow: boolean | undefined

  const rateOver = (from: number, to: number): number => rateBetween(admissions, from, to)

  const isShort = (): boolean => memoryMs > 0 && memoryMs <= CHEAP_MEMORY_MS

  /** Calls a second in the fullest round window up to `end` that the limiter may remember. */
  const fullest = (end: number): number =>
    Math.max(
      0,
      ...ROUND_WINDOWS.filter((window) => window <= memoryMs).map((window) => rateOver(end - window, end)),
    )

  const measureOver = (end: number): number | undefined => {
    if (memoryMs === 0) return streak.measure(end)
    return rateOver(Math.max(end - memoryMs, admissions.firstAt ?? end), end)
  }

  const measureEpisode = (episode: {
    isHeavy: boolean
    now: number
    refusedUntil: number
    isShortNamed: boolean
    keptUp: number
  }): number | undefined => {
    const untilRefusal = measureOver(episode.refusedUntil)
    if (!episode.isHeavy)
      return untilRefusal === undefined || memoryMs === 0
        ? untilRefusal
        : Math.max(untilRefusal, episode.keptUp)
    const untilNow = measureOver(episode.now)
    if (!episode.isShortNamed || untilNow === undefined || untilRefusal === undefined) return untilNow
    // The truth lies between: the wait was needed in part.
    return (untilNow + Math.max(untilNow, untilRefusal)) / 2
  }

  return {
    measure: (opening) => {
      const { closedAt, openedAt: now, lastRefusalAt, failedProbes, pace, capacity, isFirst } = opening
      streak.onOpening(closedAt)
      const since = openedAt ?? admissions.begunAt ?? now
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

      const measured = isMisled
        ? rateToRefusal
        : measureEpisode({
            isHeavy,
            now,
            // A light episode says nothing of the time after its last refusal: that wait may have been too long.
            refusedUntil: lastRefusalAt + 1000 / pace,
            isShortNamed: isNamedAlone && closedForMs < SHORT_NAMED_WAIT * memoryMs,
            keptUp:
              count >= KEPT_UP_CALLS ? (isShort() ? KEPT_UP_IN_SHORT_WINDOW : KEPT_UP) * rateToRefusal : 0,
          })
      if (isHeavy || isMisled) openedAt = now
      const isSure = isHeavy
        ? !isNamedAlone
        : memoryMs === 0 && !opening.mayBeAtOnce && streak.isSureAfterRamp(lastRefusalAt)
      const before = !isHeavy && isFirst ? pace : capacity
      const isSureCut = isSure && (isHeavy || !isFirst)
      const floor = before * (isSureCut ? DEEPEST_SURE_CUT : DEEPEST_CUT)
      const least = measured === undefined ? pace * DEEPEST_CUT : Math.max(measured, floor)
      const isRampInIt = isFirst && isHeavy && isShort() && !opening.isNamed
      const bounded = isRampInIt
        ? least + TOWARDS_FULLEST * Math.max(0, Math.min(pace, fullest(lastRefusalAt)) - least)
        : least
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
    get isShort() {
      return isShort()
    },
  }
}
