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
/** A log that frees one call after the other is closed for fewer slots. */
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
 * After a named wait the pace returns to this share of the rate up to the 429. After a long wait, which may recur, it returns to
 * less, and the next search starts later.
 */
const RETURN = 0.8
const RETURN_AFTER_LONG_WAIT = 0.6
const LONG_WAIT_MS = 20_000
/** One call in about three hours. */
const SLOWEST = 1e-4

/** Calls that are measured without a streak of 429s: at least, and at most. */
const FEWEST_CALLS = 15
const TRAILING_CALLS = 40
/** If the pace grew by more than this meanwhile, only the latest `FEWEST_CALLS` count. */
const GREW = 0.92
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
  // A window accepts the same number each time, however fast it is used up; a bucket does not. A window lasts at least as long as
  // that took.
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
  const { lastRefusalAt } = closing
  const closedForMs = openedAt - closing.since
  const opening = noteOpening(paced, closing, openedAt)
  const { kind, since, isNamed, isOfRamp } = opening
  const rateToRefusal = (countAdmitted(log, since, openedAt) * 1000) / Math.max(1, lastRefusalAt - since)
  const before = kind !== 'heavy' && growth?.kind === 'ramp' ? pace : capacity
  const deepest = before * (kind === 'heavy' && !isNamed ? DEEPEST_SURE_CUT : DEEPEST_CUT)
  const rates = {
    heavy: () => heavyRate(paced, closing, opening, deepest),
    light: () => lightRate(paced, closing, opening, deepest),
    // Since the start, waits included; or since the latest opening, once what was saved before is used up.
    misled: () => Math.max(deepest, rateToRefusal, latestRate(log, closing, opening, TRAILING_CALLS)),
  }
  const isLongWait = isNamed && meter.isWindow === null && closedForMs > LONG_WAIT_MS
  const returnTo = (isLongWait ? RETURN_AFTER_LONG_WAIT : RETURN) * rateToRefusal
  // The window may be as short as the time in which nothing was accepted.
  const shortest = ROUND_WINDOWS.find((window) => window >= closedForMs) ?? meter.memoryMs
  return {
    capacity: Math.max(SLOWEST, Math.min(rates[kind](), Math.max(pace, capacity))),
    returnTo: isNamed && meter.isWindow !== true ? returnTo : 0,
    memoryMs: isOfRamp ? Math.min(meter.memoryMs, PLATEAU_OF_WINDOW * shortest) : meter.memoryMs,
    // A window turned, or a log freed calls, since the last refused probe, at a time that is not known.
    owedMs: closing.failedProbes >= 2 && !closing.isNamed ? (openedAt - lastRefusalAt) / 2 : 0,
    misledMs: kind === 'misled' || isLongWait ? closedForMs : 0,
  }
}

type Opening = ReturnType<typeof noteOpening>

/**
 * Returns how the limit opened: after it was used up for a while, for little more than a call (`light`), or sooner than the
 * endpoint had named (`misled`); `since` its last heavy opening, and its last one of any kind.
 */
function noteOpening({ log, meter, speed }: Paced, closing: Closing, at: number) {
  const { since: closedAt, failedProbes } = closing
  const closedForMs = at - closedAt
  const since = meter.openedAt ?? begunAt(log) ?? at
  const lastAt = meter.lastOpenedAt ?? at
  if (meter.streak === null || countAdmitted(log, lastAt, closedAt) > STREAK_CALLS)
    meter.streak = { since: closedAt, isAfterRamp: speed.growth?.kind === 'ramp' }
  // The ramp's calls used up the limit, perhaps after a window turned between its first two 429s.
  const isAfterRamp = meter.openedAt === null && meter.streak.isAfterRamp
  const isNamed = closing.isNamed && failedProbes === 0
  if (isNamed) meter.isWindow = closing.isRepeated ?? meter.isWindow
  const longMs = Math.max(2000, 5000 / speed.pace, LONG_OF_MEMORY * meter.memoryMs)
  const isUsedUp = failedProbes >= 2 || closedForMs > longMs
  const kind = isNamed && meter.isWindow === false ? 'misled' : isUsedUp ? 'heavy' : 'light'
  // A limit opens once in its memory: one that opens again sooner has a shorter memory than it seemed.
  if (kind === 'heavy') meter.memoryMs = Math.min(at - since, Math.max(meter.memoryMs, 4 * closedForMs))
  if (kind !== 'light') meter.openedAt = at
  meter.lastOpenedAt = at
  if (!closing.isNamed && closedForMs <= (SLOTS_OF_LOG * 1000) / speed.pace) meter.usedUp = null
  return { kind, at, since, lastAt, isNamed, isOfRamp: kind === 'heavy' && isAfterRamp } as const
}

/** Over the limit's memory, calls per second. At least `deepest`, as the next two. */
function heavyRate(paced: Paced, closing: Closing, { at, isOfRamp }: Opening, deepest: number): number {
  const { log, meter, speed } = paced
  const { memoryMs } = meter
  const { lastRefusalAt } = closing
  const isRampInIt = isOfRamp && !closing.isNamed && isCheap(meter)
  // The first window of seconds turned between the last refused probe and the accepted one: up to the latter, 60 calls in 6 s
  // look like 60 in 8.
  const rate = Math.max(deepest, rateOver(log, memoryMs, isRampInIt ? (lastRefusalAt + at) / 2 : at))
  if (!isRampInIt) return rate
  const windows = ROUND_WINDOWS.filter((window) => window <= memoryMs)
  const fullest = Math.max(0, ...windows.map((ms) => rateBetween(log, lastRefusalAt - ms, lastRefusalAt)))
  const fuller = Math.max(0, Math.min(speed.pace, fullest) - rate)
  return rate + TOWARDS_FULLEST * Math.max(0, 1 - memoryMs / NOT_FULLEST_MS) * fuller
}

function lightRate(paced: Paced, closing: Closing, opening: Opening, deepest: number): number {
  const { log, meter, speed } = paced
  const { memoryMs, streak } = meter
  const { lastRefusalAt, failedProbes, isNamed } = closing
  // Half a call after the last 429: the wait after it may have been too long.
  const end = lastRefusalAt + 500 / speed.pace
  let rate = memoryMs > 0 ? rateOver(log, memoryMs, end) : streakRate(log, streak, end)
  if (rate === undefined) return DEEPEST_CUT * speed.pace
  // A memory that is taken too long contains the slower calls before.
  if (memoryMs > 0 && isCheap(meter)) rate = latestIfGrown(log, rate, end)
  const calls = countAdmitted(log, opening.lastAt, lastRefusalAt)
  // What the limit allowed from one opening to the next, waits included: it allows no less. A window that refused a probe has
  // turned since: it allows little more.
  const between = isNamed || calls < CALLS_OF_WINDOW ? 0 : (calls * 1000) / (opening.at - opening.lastAt)
  if (failedProbes >= 1 && between > 0 && calls <= CALLS_OF_WINDOWS) rate = (rate + between) / 2
  return Math.max(deepest, rate, between, KEPT_UP * latestRate(log, closing, opening, KEPT_UP_CALLS))
}

/** From the last opening to the last 429; 0 with fewer calls than `fewest`. */
function latestRate(log: Admissions, closing: Closing, { lastAt }: Opening, fewest: number): number {
  const { lastRefusalAt } = closing
  return countAdmitted(log, lastAt, lastRefusalAt) < fewest ? 0 : rateBetween(log, lastAt, lastRefusalAt)
}

const rateOver = (log: Admissions, ms: number, end: number): number =>
  rateBetween(log, Math.max(end - ms, log.firstAt ?? end), end)

/** Calls per second up to `end`: since the limit was used up, else over the latest calls; undefined for too few calls. */
function streakRate(log: Admissions, streak: Meter['streak'], end: number): number | undefined {
  if (streak === null) return undefined
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
  const latest = rateBetween(log, sentBefore(log, FEWEST_CALLS) ?? log.firstAt ?? end, end)
  return rate < GREW * latest ? LATEST_COUNTS * latest : rate
}
