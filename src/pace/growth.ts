// The pace, and when the next call is due: a ramp finds the limit, then a cubic plateau stays close to it.
import { type Admissions, countAdmitted } from './admissions.ts'
import { rateOf, slowestShort, type Stated, type StatedPolicy } from './stated.ts'

/** After an opening the pace starts at this share of the measured capacity. */
export const RETURN_BELOW = 0.97
/** The ramp doubles after this many paced calls and this time: a 429 must have time to arrive. */
const RAMP_SENDS = 5
const RAMP_MS = 700
/** The plateau starts this far below the capacity, flattens at it, and rises this far above it… */
const DIP = 0.03
const RISE = 0.05
/** … and then by steps. */
const STEP = 1.1
/** Finds a raised limit within minutes even if calls are few. */
const QUIET_MS = 180_000
/** After a named wait that the limit may not have needed, the pace returns in quick steps. */
const RETURN_SENDS = 6
const RETURN_STEP = 2

/**
 * Length of the plateau in calls: those of this many memories of the limiter, since a window refuses at its end what was too fast
 * at its start; or the calls without a 429 before it.
 */
const PLATEAU_OF_MEMORY = 1.6
const SHORTEST_PLATEAU = 15
const LONGEST_PLATEAU = 120
/** If each 429 costs a long named wait, the next one comes after the calls of this many waits. */
const PLATEAU_OF_MISLED_WAIT = 8

export interface Measurement {
  /** What the limit allows, calls per second. */
  readonly capacity: number
  /** A pace above the measured one that the limit probably allows; 0 for none. */
  readonly returnTo: number
  /** How long the plateau keeps close to the capacity: the limiter's memory, less after the first opening. */
  readonly memoryMs: number
  /** How long the limit was probably open before the probe found out. */
  readonly owedMs: number
  /** Length of a named wait that the limit did not need, 0 for none. */
  readonly misledMs: number
}

/** Until the first 429. `since`: the last doubling, null before the first. */
export interface Ramp {
  readonly kind: 'ramp'
  sends: number
  since: number | null
}

export interface Plateau {
  readonly kind: 'plateau'
  /** Estimated limit, calls per second. */
  capacity: number
  /** Calls from the start to the middle of the plateau. */
  readonly length: number
  readonly since: number
  /** Pace to return to quickly, 0 for none. */
  readonly returnTo: number
  sends: number
  stepSends: number
}

export const rampFrom = (since: number | null): Ramp => ({ kind: 'ramp', sends: 0, since })

export function plateauAt(now: number, measured: Measurement, sendsSinceRefusal: number): Plateau {
  const { capacity, returnTo, memoryMs, misledMs } = measured
  const ofMemory = (PLATEAU_OF_MEMORY * memoryMs * capacity) / 1000
  const length = Math.max(
    SHORTEST_PLATEAU,
    Math.min(LONGEST_PLATEAU, Math.max(ofMemory, sendsSinceRefusal)),
    (PLATEAU_OF_MISLED_WAIT * misledMs * capacity) / 1000,
  )
  return { kind: 'plateau', capacity, length, since: now, returnTo, sends: 0, stepSends: 0 }
}

/** The pace (calls per second) after one more paced call of the ramp. */
function climb(ramp: Ramp, pace: number, now: number): number {
  ramp.sends += 1
  const elapsed = ramp.since === null ? Infinity : now - ramp.since
  if (ramp.sends < RAMP_SENDS || elapsed < RAMP_MS) return pace
  const achieved = elapsed === Infinity ? pace : (ramp.sends * 1000) / elapsed
  ;[ramp.sends, ramp.since] = [0, now]
  // Only a pace that was really used proves anything.
  return achieved >= pace / 2 ? pace * 2 : pace
}

/** The pace after one more paced call of the plateau. The shape of CUBIC (RFC 9438), counted in calls instead of round trips. */
function cruise(plateau: Plateau, pace: number, now: number): number {
  if (pace < plateau.returnTo) return returnQuickly(plateau, pace)
  plateau.sends += 1
  // If a 429 costs a named wait, the search is slower.
  const ofQuiet = plateau.returnTo > 0 ? 0 : (now - plateau.since) / QUIET_MS
  const x = Math.max(plateau.sends / plateau.length, ofQuiet) - 1
  const cubic = plateau.capacity * (1 + DIP * x ** 3)
  const top = plateau.capacity * (1 + RISE)
  if (cubic <= top) return cubic
  plateau.stepSends += 1
  if (plateau.stepSends < plateau.length / 2) return Math.max(pace, top)
  plateau.stepSends = 0
  return Math.max(pace, top) * STEP
}

function returnQuickly(plateau: Plateau, pace: number): number {
  plateau.stepSends += 1
  if (plateau.stepSends < RETURN_SENDS) return pace
  plateau.stepSends = 0
  const returned = Math.min(pace * RETURN_STEP, plateau.returnTo)
  plateau.capacity = Math.max(plateau.capacity, returned)
  return returned
}

// ---- The speed: pace, ceiling, and when the next call is due

const START_PER_SECOND = 4
/** A known rate is used to 99 %: at exactly the limit a sliding window refuses 1.6 % of the calls, at 99 % none. */
const MARGIN = 0.99
/**
 * A stray 429 at a known rate is a call that the network delayed into the next one. Each widens the margin by half a percent:
 * 20 ms of jitter on a window of a second need 2 %.
 */
const MARGIN_FOR_STRAY = 0.005
const LEAST_MARGIN = 0.98
/**
 * A 429 is a stray if at least this many calls lie between it and the previous one. Once the margin is at its maximum strays must
 * be rarer, or a rate that was stated a little too high would get 429s for ever.
 */
const STRAY_APART = 10
const STRAY_APART_AT_LEAST_MARGIN = 200
const DOUBTFUL_CUT = 0.97

/** With a share below 1 the search ends after this many calls without a 429. */
const SENDS_TO_SETTLE = 60

export interface Speed {
  /** Calls per second. */
  pace: number
  /** The last measured limit, calls per second; the pace until the first 429. */
  capacity: number
  /** When the next call is due; null before the first. */
  nextAt: number | null
  /** Null if no limit is searched for. */
  growth: Ramp | Plateau | null
  /** The user's `--rate`, calls per second. */
  known: number | null
  /** What the endpoint states, and the policy of it that limits the pace. */
  stated: Stated
  policy: StatedPolicy | null
  /** Maximum share of the limit to use. */
  share: number
  margin: number
  firstRefusalAt: number | null
  openings: number
  /** Calls to make up for, at twice the pace. */
  owed: number
}

const startPace = (known: number | null, share: number): number =>
  known === null ? START_PER_SECOND * share : known * share * MARGIN

/** `known`: the user's rate, calls per second: no ramp, never faster. */
export function createSpeed(known: number | null, share: number): Speed {
  // The ramp also leaves the other traffic its share.
  const pace = startPace(known, share)
  return {
    pace,
    capacity: pace,
    nextAt: null,
    growth: known === null ? rampFrom(null) : null,
    known,
    stated: { asOf: 0, all: [] },
    policy: null,
    share,
    margin: MARGIN,
    firstRefusalAt: null,
    openings: 0,
    owed: 0,
  }
}

/** The maximum pace: our share of the known or stated rate, less the margin. Infinity without either. */
export const ceilingOf = ({ known, policy, share, margin }: Speed): number =>
  Math.min(known ?? Infinity, policy === null ? Infinity : rateOf(policy)) * share * margin

/** The policy that sets the pace, if one does: 429s, or the user's rate, may have set a lower one. */
export const settingPolicy = (speed: Speed): StatedPolicy | null =>
  speed.policy !== null && rateOf(speed.policy) < (speed.known ?? Infinity) && speed.pace >= ceilingOf(speed)
    ? speed.policy
    : null

/** Milliseconds from one call to the next. */
export const slotMs = ({ pace }: Speed): number => 1000 / pace

/** `isProbe`: sent while the gate is closed. `log` contains the call already. */
export function noteSent(speed: Speed, log: Admissions, now: number, isProbe: boolean): void {
  const { growth, pace } = speed
  const isOwed = speed.owed >= 1
  if (isOwed) speed.owed -= 1
  const slot = slotMs(speed) / (isOwed ? 2 : 1)
  const dueAt = speed.nextAt ?? now
  // Up to half a slot of lateness is made up for, at a known rate none: idle time is never repaid in a burst.
  speed.nextAt = Math.max(dueAt, speed.known === null ? now - slot / 2 : now) + slot
  // A call that was late for lack of work proves nothing about the pace.
  if (!isProbe && now - dueAt < slot && growth !== null) {
    const next = growth.kind === 'ramp' ? climb(growth, pace, now) : cruise(growth, pace, now)
    speed.pace = Math.min(ceilingOf(speed), next)
  }
  if (speed.share < 1 && growth?.kind === 'plateau' && growth.sends >= SENDS_TO_SETTLE) {
    speed.growth = null
    speed.pace = Math.min(ceilingOf(speed), speed.share * speed.capacity)
    // Calls beyond the share since the first 429 are paid back.
    payBack(speed, log, speed.firstRefusalAt ?? 0)
  }
}

/** The probe sent at `openedAt` was accepted: sets the pace a little below the measurement. `isDoubtful`: limits the cut. */
export function reopen(speed: Speed, openedAt: number, measured: Measurement, isDoubtful: boolean): void {
  const sends = speed.growth?.kind === 'plateau' ? speed.growth.sends : 0
  speed.capacity = Math.max(measured.capacity, isDoubtful ? DOUBTFUL_CUT * speed.capacity : 0)
  speed.pace = Math.min(ceilingOf(speed), RETURN_BELOW * speed.capacity)
  speed.openings += 1
  speed.owed = speed.known === null ? (measured.owedMs * speed.capacity) / 1000 : 0
  speed.growth = plateauAt(openedAt, { ...measured, capacity: speed.capacity }, sends)
  // What was closed for a slot has refilled by the probe's own call.
  speed.nextAt = openedAt + slotMs(speed)
}

/** Whether a 429 at a known rate, `callsApart` calls after the previous one, is a stray. */
export const isStray = ({ known, margin }: Speed, callsApart: number): boolean =>
  known !== null && callsApart >= (margin <= LEAST_MARGIN ? STRAY_APART_AT_LEAST_MARGIN : STRAY_APART)

/** A stray 429: widens the margin and delays the next call by a slot. */
export function holdBack(speed: Speed, now: number): void {
  speed.margin = Math.max(LEAST_MARGIN, speed.margin - MARGIN_FOR_STRAY)
  speed.pace = Math.min(speed.pace, ceilingOf(speed))
  speed.nextAt = Math.max(speed.nextAt ?? now, now + slotMs(speed))
}

/**
 * Heeds the policies that the endpoint states. The slowest one lowers the pace and ends the search, unless what remains of it covers
 * the calls up to number `end`, the last that is to be sent. It never raises a rate that the user gave.
 */
export function heedPolicies(speed: Speed, log: Admissions, stated: Stated, end: number): void {
  const isFirst = speed.stated.all.length === 0
  const before = ceilingOf(speed)
  const policy = slowestShort(stated, end)
  Object.assign(speed, { stated, policy })
  const ceiling = ceilingOf(speed)
  if (ceiling > before) {
    // The search stays off.
    const pace = ceiling < Infinity ? ceiling : Math.max(speed.pace, startPace(speed.known, speed.share))
    Object.assign(speed, { pace, capacity: pace, growth: null })
  } else if (policy !== null && ceiling < before && (speed.growth?.kind === 'ramp' || speed.pace > ceiling)) {
    Object.assign(speed, { pace: ceiling, capacity: rateOf(policy), growth: null })
    // Calls sent before the policy was known have used up part of it.
    if (isFirst) payBack(speed, log, log.firstAt ?? 0)
  }
}

/** Delays the next call as if all calls since then had been sent at the present pace. */
function payBack(speed: Speed, log: Admissions, since: number): void {
  const calls = countAdmitted(log, since, Infinity)
  speed.nextAt = Math.max(speed.nextAt ?? 0, since + calls * slotMs(speed))
}
