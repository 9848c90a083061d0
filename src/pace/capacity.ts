// Measures what a limit allows, when it opens again: calls accepted over the time in which it was used up.
import { type Admissions, begunAt, countAdmitted, rateBetween, sentBefore } from './admissions.ts'
import { ROUND_WINDOWS } from './closing.ts'
import type { Measurement } from './growth.ts'
import type { Closing, Meter, Paced } from './state.ts'

/** Lower bound of one cut, as a share of the estimate: a measurement over a short time may mislead. */
const DEEPEST_CUT = 0.5
/** Lower bound if it was measured over a pause whose end we probed ourselves. */
const DEEPEST_SURE_CUT = 0.25
/** After this many calls since the latest opening, a light 429 keeps the pace at this share of their rate at least. */
const KEPT_UP_CALLS = 8
const KEPT_UP = 0.85
/** A limit with a long memory did not turn in a pause that is a small share of it. */
const LONG_OF_MEMORY = 0.1
/** A limit with a memory up to this is cheap to probe: a wrong guess costs seconds. The probe at 15 s included. */
const CHEAP_MEMORY_MS = 15_500
/** Up to this many of its memories after it has opened, a limit with a short memory that refuses a call refuses the next, too. */
const SOON_OF_MEMORY = 1.5
/** A bucket that accepted this many calls since it opened accepts the first probe; a window does not. */
export const CALLS_OF_WINDOW = 15
/** With more calls between two openings, the windows between were not all used up. */
const CALLS_OF_WINDOWS = 120
/** A log that frees one call after the other is not closed for more than this many slots. */
const SLOTS_OF_LOG = 4
/** Share of the shortest round window that explains the first opening, over which the first plateau keeps close to the estimate. */
const PLATEAU_OF_WINDOW = 0.5
/**
 * In a short memory the slow start of the ramp weighs much. The capacity lies between the rate over the memory and the rate of
 * the fullest round window in it: this far towards the latter, less for a longer memory, not at all from `NOT_FULLEST_MS`.
 */
const TOWARDS_FULLEST = 0.65
const NOT_FULLEST_MS = 8000
/**
 * If the named wait is longer than the limit needs, the capacity is the rate up to the 429: since the start, waits included, or,
 * if higher, since the latest opening, once this many calls have used up what was saved before.
 */
const TELLING_CALLS = 50
/**
 * After a named wait the pace returns to this share of the rate up to the 429. After a long wait, which may recur, it returns to
 * less, and the next search starts later.
 */
const RETURN = 0.8
const RETURN_AFTER_LONG_WAIT = 0.6
const LONG_WAIT_MS = 20_000
/** One call in about three hours. */
const SLOWEST = 1e-4

/** Calls that are measured without a streak of 429s. */
const FEWEST_CALLS = 15
const TRAILING_CALLS = 40
/** If the pace grew by more than this meanwhile, only the latest calls count. */
const GREW = 0.92
const LATEST_CALLS = 16
const LATEST_COUNTS = 0.99
/**
 * 429s with up to this many calls between them belong to one streak, which is measured from its first 429: the calls before it
 * still contain the burst, or the ramp.
 */
const STREAK_CALLS = 40
const FEWEST_OF_STREAK = 3

export const isCheap = ({ memoryMs }: Meter): boolean => memoryMs <= CHEAP_MEMORY_MS

/** The call sent at `at` got a 429. `isBlind`: neither the limit nor a wait is named. */
export function closingAt({ speed, log, meter }: Paced, now: number, at: number, isBlind: boolean): Closing {
  const openedAt = meter.lastOpenedAt ?? begunAt(log) ?? at
  const calls = countAdmitted(log, openedAt, at)
  const before = meter.usedUp
  meter.usedUp = { calls, ms: at - openedAt }
  // A window accepts the same number each time, however fast it is used up; a bucket does not. It lasts at least as long as that took.
  const isRepeated = before && Math.abs(calls - before.calls) <= 1
  const isWindow = isBlind && isRepeated === true && calls >= CALLS_OF_WINDOW
  const isSoon = isCheap(meter) && now - (meter.openedAt ?? -Infinity) < SOON_OF_MEMORY * meter.memoryMs
  // The ramp overshoots by far. A probe one slot later would be refused, too.
  const isFar = isBlind && (speed.growth?.kind === 'ramp' || isSoon || isWindow)
  const turnsFrom = before && isWindow ? openedAt + before.ms : 0
  const failedProbes = isFar ? 1 : 0
  return { since: now, lastRefusalAt: at, failedProbes, isNamed: false, isRepeated, turnsFrom, probe: null }
}

/** At the end of `closing`: its probe, sent at `openedAt`, was accepted. */
export function measure(paced: Paced, closing: Closing, openedAt: number): Measurement {
  const { log, meter } = paced
  const { pace, capacity, growth } = paced.speed
  const { since: closedAt, lastRefusalAt, failedProbes } = closing
  const closedForMs = openedAt - closedAt
  const isFirst = growth?.kind === 'ramp'
  const since = meter.openedAt ?? begunAt(log) ?? openedAt
  const count = countAdmitted(log, since, openedAt)
  const rateToRefusal = (count * 1000) / Math.max(1, lastRefusalAt - since)
  const lastOpenedAt = meter.lastOpenedAt ?? openedAt
  if (meter.streak === null || countAdmitted(log, lastOpenedAt, closedAt) > STREAK_CALLS)
    meter.streak = { since: closedAt, isAfterRamp: isFirst }
  const { streak } = meter
  meter.lastOpenedAt = openedAt

  const isNamedAlone = closing.isNamed && failedProbes === 0
  if (isNamedAlone) meter.isWindow = closing.isRepeated ?? meter.isWindow
  const isMisled = isNamedAlone && meter.isWindow === false
  const isLongWait = isNamedAlone && meter.isWindow === null && closedForMs > LONG_WAIT_MS
  const longMs = Math.max(2000, 5000 / pace, LONG_OF_MEMORY * meter.memoryMs)
  const isHeavy = !isMisled && (failedProbes >= 2 || closedForMs > longMs)
  // A limit opens once in its memory: one that opens again sooner has a shorter memory than it seemed.
  if (isHeavy) meter.memoryMs = Math.min(openedAt - since, Math.max(meter.memoryMs, 4 * closedForMs))
  // The ramp's calls used up the limit, perhaps after a window turned between its first two 429s.
  const isOfRamp = isHeavy && meter.openedAt === null && streak.isAfterRamp
  const isRampInIt = isOfRamp && !closing.isNamed && isCheap(meter)
  if (isHeavy || isMisled) meter.openedAt = openedAt
  if (!closing.isNamed && closedForMs <= (SLOTS_OF_LOG * 1000) / pace) meter.usedUp = null

  const callsSinceLast = countAdmitted(log, lastOpenedAt, lastRefusalAt)
  const rateSinceLast = rateBetween(log, lastOpenedAt, lastRefusalAt)
  // A light episode ends half a call after its last 429: the wait after it may have been too long. The first window of seconds
  // turned between the last refused probe and the accepted one: up to the latter, 60 calls in 6 s look like 60 in 8.
  const heavyEnd = isRampInIt ? (lastRefusalAt + openedAt) / 2 : openedAt
  const end = isHeavy ? heavyEnd : lastRefusalAt + 500 / pace
  const { memoryMs } = meter
  let measured =
    memoryMs > 0
      ? rateBetween(log, Math.max(end - memoryMs, log.firstAt ?? end), end)
      : measureStreak(log, streak, end)
  // A memory that is taken too long contains the slower calls before.
  const isLight = !isHeavy && measured !== undefined
  if (isLight && memoryMs > 0 && isCheap(meter)) measured = latestIfGrown(log, measured ?? 0, end)
  // A window that refused a probe has turned since. The rate between two turns may be too low, since waits are in it.
  const isTurned = isLight && !closing.isNamed && failedProbes >= 1 && callsSinceLast >= CALLS_OF_WINDOW
  if (isTurned && measured !== undefined && callsSinceLast <= CALLS_OF_WINDOWS)
    measured = Math.min(measured, (measured + (callsSinceLast * 1000) / (openedAt - lastOpenedAt)) / 2)
  if (isMisled) measured = Math.max(rateToRefusal, callsSinceLast >= TELLING_CALLS ? rateSinceLast : 0)
  else if (isLight && callsSinceLast >= KEPT_UP_CALLS)
    measured = Math.max(measured ?? 0, KEPT_UP * rateSinceLast)
  const before = !isHeavy && isFirst ? pace : capacity
  const floor = before * (isHeavy && !isNamedAlone ? DEEPEST_SURE_CUT : DEEPEST_CUT)
  let bounded = measured === undefined ? pace * DEEPEST_CUT : Math.max(measured, floor)
  if (isRampInIt) {
    const windows = ROUND_WINDOWS.filter((window) => window <= memoryMs)
    const fullest = Math.max(0, ...windows.map((ms) => rateBetween(log, lastRefusalAt - ms, lastRefusalAt)))
    const fuller = Math.min(pace, fullest) - bounded
    bounded += TOWARDS_FULLEST * Math.max(0, 1 - memoryMs / NOT_FULLEST_MS) * Math.max(0, fuller)
  }
  // The window may be as short as the time in which nothing was accepted.
  const shortest = ROUND_WINDOWS.find((window) => window >= closedForMs) ?? memoryMs
  const returnTo = (isLongWait ? RETURN_AFTER_LONG_WAIT : RETURN) * rateToRefusal
  return {
    capacity: Math.max(SLOWEST, Math.min(bounded, Math.max(pace, capacity))),
    returnTo: isNamedAlone && meter.isWindow !== true ? returnTo : 0,
    memoryMs: isOfRamp ? Math.min(memoryMs, PLATEAU_OF_WINDOW * shortest) : memoryMs,
    // A window turned, or a log freed calls, since the last refused probe, at a time that is not known.
    owedMs: failedProbes >= 2 && !closing.isNamed ? (openedAt - lastRefusalAt) / 2 : 0,
    misledMs: isMisled || isLongWait ? closedForMs : 0,
  }
}

/** Calls per second up to `end`: since the limit was used up, else over the latest calls; undefined for too few calls. */
function measureStreak(
  log: Admissions,
  streak: NonNullable<Meter['streak']>,
  end: number,
): number | undefined {
  const calls = countAdmitted(log, streak.since, end)
  // At its end the limit had refilled to less than one more call, half a call on average.
  if (calls >= FEWEST_OF_STREAK && calls <= STREAK_CALLS)
    return ((calls + 0.5) * 1000) / Math.max(1, end - streak.since)
  const from = sentBefore(log, TRAILING_CALLS) ?? log.firstAt
  if (from === null || countAdmitted(log, from, end) < FEWEST_CALLS) return undefined
  const whole = rateBetween(log, from, end)
  // Not in a streak, whose pauses refilled a bucket.
  return streak.isAfterRamp || calls >= FEWEST_OF_STREAK ? whole : latestIfGrown(log, whole, end)
}

/** While the pace grows, the rate of the latest calls is more exact than `rate`, which is over a longer time. */
function latestIfGrown(log: Admissions, rate: number, end: number): number {
  const latest = rateBetween(log, sentBefore(log, LATEST_CALLS) ?? log.firstAt ?? end, end)
  return rate < GREW * latest ? LATEST_COUNTS * latest : rate
}
