// What a limit allows, measured when it opens again: calls admitted over the time that it was used up in.
import { type Admissions, begunAt, countAdmitted, rateBetween, sentBefore } from './admissions.ts'
import { ROUND_WINDOWS } from './closing.ts'

/** An estimate is not cut deeper than to this at once: a measurement over a short time may mislead. */
const DEEPEST_CUT = 0.5
/** Deeper where it was measured from empty to empty, or over a closed time that we found out ourselves. */
const DEEPEST_SURE_CUT = 0.25
/** A light refusal after so many calls since the opening does not take the pace below so much of what they kept up. */
const KEPT_UP_CALLS = 30
const KEPT_UP = 0.85
/** A limiter that remembers no more than this is tried again cheaply: a wrong guess costs a wait of a second or two. */
const CHEAP_MEMORY_MS = 8000
/**
 * In so short a memory the slow beginning of the ramp weighs much. The truth lies between what was admitted in it and the
 * fullest round window in it; this far towards that one, the less the longer the memory is.
 */
const TOWARDS_FULLEST = 0.65
/** A named wait this short against the limiter's memory may be longer than was needed. */
const SHORT_NAMED_WAIT = 0.2
/**
 * Where a wait was named that the limit does not need, the truth is what was admitted up to the refusal: since the beginning,
 * waits and all, or where that is more and so many calls leave little of what was saved up, since the latest opening.
 */
const TELLING_CALLS = 50
/**
 * Where a wait was named, the pace returns to so much of what was admitted up to the refusal; to less, and the next search is
 * put off, where the wait was long and may come again.
 */
const RETURN = 0.8
const RETURN_AFTER_LONG_WAIT = 0.6
const LONG_WAIT_MS = 20_000
/** No pace falls below one call in about three hours. */
const SLOWEST = 1e-4

/** Calls whose time is measured where no streak of refusals says more. */
const FEWEST_CALLS = 15
const TRAILING_CALLS = 40
/** Where the pace grew by as much meanwhile, so many of the latest calls count, so much. */
const GREW = 0.92
const LATEST_CALLS = 16
const LATEST_COUNTS = 0.99
/** Refusals with fewer calls than this between them belong to one streak. */
const STREAK_CALLS = 40
/** A streak this young is measured from its first refusal: the trailing calls still hold the burst before it. */
const FEWEST_SINCE_USED_UP = 4
const MOST_SINCE_USED_UP = 8
/** In the streak that ends the ramp one call is enough: the ramp overshoots by far, and a cut by half costs a refusal. */
const FEWEST_AFTER_RAMP = 1

export interface Meter {
  /** The limiter's memory, milliseconds: the longest time between an opening and the next; 0 if unknown. */
  memoryMs: number
  /** When the limiter last opened after having been used up, and when it last opened after however short a wait. */
  openedAt: number | null
  lastOpenedAt: number | null
  /** Calls of the last window that a named wait ended. */
  countBefore: number | null
  /** Whether named waits end windows of one and the same count; null until two have been seen. */
  isWindow: boolean | null
  /** Refusals that follow each other closely; since the first of them the limit is used up, and its burst is not repeated. */
  streak: { readonly since: number; readonly isAfterRamp: boolean } | null
}

export const createMeter = (): Meter => ({
  memoryMs: 0,
  openedAt: null,
  lastOpenedAt: null,
  countBefore: null,
  isWindow: null,
  streak: null,
})

export const isShortMemory = ({ memoryMs }: Meter): boolean => memoryMs > 0 && memoryMs <= CHEAP_MEMORY_MS

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

/** What is known of the limit after an opening. */
export interface Measurement {
  /** Calls a second. */
  readonly capacity: number
  /** Pace that the limit may well allow although the measurement says less; 0 where it says what it says. */
  readonly returnTo: number
  readonly memoryMs: number
  /** The wait that was named and cost more than the limit needed, 0 for none. */
  readonly misledMs: number
}

export function measure(meter: Meter, log: Admissions, opening: Opening): Measurement {
  const { closedAt, openedAt, lastRefusalAt, failedProbes, pace, capacity, isFirst } = opening
  const closedForMs = openedAt - closedAt
  const since = meter.openedAt ?? begunAt(log) ?? openedAt
  const count = countAdmitted(log, since, openedAt)
  const rateToRefusal = (count * 1000) / Math.max(1, lastRefusalAt - since)
  const lastOpenedAt = meter.lastOpenedAt ?? openedAt
  if (meter.streak === null || countAdmitted(log, lastOpenedAt, closedAt) > STREAK_CALLS)
    meter.streak = { since: closedAt, isAfterRamp: isFirst }
  meter.lastOpenedAt = openedAt

  const isNamedAlone = opening.isNamed && failedProbes === 0
  if (isNamedAlone) {
    // Windows let the same number through each time, however fast it was used up; buckets do not.
    const before = meter.countBefore
    if (before !== null) meter.isWindow = Math.abs(count - before) <= 2 + 0.03 * before
    meter.countBefore = count
  }
  const isMisled = isNamedAlone && meter.isWindow === false
  const isLongWait = isNamedAlone && meter.isWindow === null && closedForMs > LONG_WAIT_MS
  const isHeavy = !isMisled && (failedProbes >= 2 || closedForMs > Math.max(2000, 5000 / pace))
  if (isHeavy) meter.memoryMs = Math.max(meter.memoryMs, Math.min(openedAt - since, 4 * closedForMs))
  if (isHeavy || isMisled) meter.openedAt = openedAt

  const isTelling = countAdmitted(log, lastOpenedAt, lastRefusalAt) >= TELLING_CALLS
  const sinceLast = isTelling ? rateBetween(log, lastOpenedAt, lastRefusalAt) : 0
  // A light episode says nothing of the time after its last refusal: that wait may have been too long.
  const untilRefusal = measureUntil(meter, log, lastRefusalAt + 1000 / pace)
  let measured = untilRefusal
  if (isMisled) measured = Math.max(rateToRefusal, sinceLast)
  else if (isHeavy) {
    measured = measureUntil(meter, log, openedAt)
    // The wait was needed in part, and the truth lies between.
    const isInPart = isNamedAlone && closedForMs < SHORT_NAMED_WAIT * meter.memoryMs
    if (isInPart && measured !== undefined && untilRefusal !== undefined)
      measured = (measured + Math.max(measured, untilRefusal)) / 2
  } else if (untilRefusal !== undefined && meter.memoryMs > 0 && count >= KEPT_UP_CALLS)
    measured = Math.max(untilRefusal, KEPT_UP * rateToRefusal)
  const isSure = isHeavy
    ? !isNamedAlone
    : meter.memoryMs === 0 && !opening.mayBeAtOnce && isSureAfterRamp(meter, log, lastRefusalAt)
  const before = !isHeavy && isFirst ? pace : capacity
  const floor = before * (isSure ? DEEPEST_SURE_CUT : DEEPEST_CUT)
  const least = measured === undefined ? pace * DEEPEST_CUT : Math.max(measured, floor)
  const isRampInIt = isFirst && isHeavy && isShortMemory(meter) && !opening.isNamed
  const fuller = Math.min(pace, fullest(meter, log, lastRefusalAt)) - least
  const towards = TOWARDS_FULLEST * Math.max(0, 1 - meter.memoryMs / CHEAP_MEMORY_MS)
  const bounded = isRampInIt ? least + towards * Math.max(0, fuller) : least
  const returnTo = (isLongWait ? RETURN_AFTER_LONG_WAIT : RETURN) * rateToRefusal
  return {
    capacity: Math.max(SLOWEST, Math.min(bounded, Math.max(pace, capacity))),
    returnTo: isNamedAlone && meter.isWindow !== true ? returnTo : 0,
    memoryMs: meter.memoryMs,
    misledMs: isMisled || isLongWait ? closedForMs : 0,
  }
}

/** Calls a second up to `end`, over the limiter's memory where it is known; undefined for too few calls. */
function measureUntil(meter: Meter, log: Admissions, end: number): number | undefined {
  if (meter.memoryMs === 0) return measureStreak(meter, log, end)
  return rateBetween(log, Math.max(end - meter.memoryMs, log.firstAt ?? end), end)
}

/** Calls a second in the fullest round window up to `end` that the limiter may remember. */
function fullest({ memoryMs }: Meter, log: Admissions, end: number): number {
  const windows = ROUND_WINDOWS.filter((window) => window <= memoryMs)
  return Math.max(0, ...windows.map((window) => rateBetween(log, end - window, end)))
}

/** From when the limit was used up, or over the latest calls. */
function measureStreak({ streak }: Meter, log: Admissions, end: number): number | undefined {
  if (streak !== null) {
    const calls = countAdmitted(log, streak.since, end)
    const fewest = streak.isAfterRamp ? FEWEST_AFTER_RAMP : FEWEST_SINCE_USED_UP
    if (calls >= fewest && calls <= MOST_SINCE_USED_UP) return rateBetween(log, streak.since, end)
  }
  const from = sentBefore(log, TRAILING_CALLS) ?? log.firstAt
  if (from === null || countAdmitted(log, from, end) < FEWEST_CALLS) return undefined
  const whole = rateBetween(log, from, end)
  // While the pace grew, the latest calls tell more; not in a streak, whose closures a bucket used to fill up again.
  const isAlone =
    streak !== null && !streak.isAfterRamp && countAdmitted(log, streak.since, end) < FEWEST_SINCE_USED_UP
  const latest = sentBefore(log, LATEST_CALLS) ?? from
  const recent = rateBetween(log, latest, end)
  return isAlone && whole < GREW * recent ? LATEST_COUNTS * recent : whole
}

/** Whether this is the streak that ended the ramp, and something was admitted in it. */
const isSureAfterRamp = ({ streak }: Meter, log: Admissions, lastRefusalAt: number): boolean =>
  streak !== null &&
  streak.isAfterRamp &&
  countAdmitted(log, streak.since, lastRefusalAt) >= FEWEST_AFTER_RAMP
