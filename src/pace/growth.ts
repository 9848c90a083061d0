// How fast the organization sends, and when the next call is due: a ramp to find the limit, then a cubic plateau around it.
import { type Admissions, countAdmitted } from './admissions.ts'
import type { Measurement } from './capacity.ts'

/** After an opening the pace begins this far below the measured capacity. */
export const RETURN_BELOW = 0.97
/** The ramp doubles after this many paced calls and this time: a refusal must have had time to come. */
const RAMP_SENDS = 5
const RAMP_MS = 700
/** The plateau leaves this share below the capacity, flattens at it, and rises this far above it… */
const DIP = 0.03
const RISE = 0.05
/** … and then by steps, larger ones after two quiet minutes. */
const STEP = 1.1
const LARGE_STEP = 1.2
const LARGE_STEPS_AFTER_MS = 120_000
/** A limit that rose is found within minutes even where calls are few. */
const QUIET_MS = 180_000
/** Where a wait was named that the limit may not have needed, the pace comes back in quick steps. */
const RETURN_SENDS = 6
const RETURN_STEP = 1.5

/**
 * Length of the plateau in calls: those of so many memories of the limiter, since a window refuses only at its end what was too
 * fast at its beginning; or as many as went without a refusal before.
 */
const PLATEAU_OF_MEMORY = 1.4
const SHORTEST_PLATEAU = 15
const LONGEST_PLATEAU = 150
/** Where each refusal costs a long named wait, the next one is put off for so many waits' worth of calls. */
const PLATEAU_OF_MISLED_WAIT = 5

/** The limit has not been met yet. `since` the last doubling, null before the first. */
export interface Ramp {
  readonly kind: 'ramp'
  sends: number
  since: number | null
}

export interface Plateau {
  readonly kind: 'plateau'
  /** Calls a second that the limit is thought to allow. */
  capacity: number
  /** Calls from the dip to the middle of the plateau. */
  readonly length: number
  readonly since: number
  /** Pace to return to quickly, 0 for none. */
  readonly returnTo: number
  sends: number
  stepSends: number
}

export type Growth = Ramp | Plateau

export const rampFrom = (since: number | null): Ramp => ({ kind: 'ramp', sends: 0, since })

/** `sends`: calls since the refusal before. */
export function plateauAt(now: number, measured: Measurement, sends: number): Plateau {
  const { capacity, returnTo, memoryMs, misledMs } = measured
  const ofMemory = (PLATEAU_OF_MEMORY * memoryMs * capacity) / 1000
  const length = Math.max(
    SHORTEST_PLATEAU,
    Math.min(LONGEST_PLATEAU, Math.max(ofMemory, sends)),
    (PLATEAU_OF_MISLED_WAIT * misledMs * capacity) / 1000,
  )
  return { kind: 'plateau', capacity, length, since: now, returnTo, sends: 0, stepSends: 0 }
}

/** The pace (calls a second) after one more paced call. Changes `growth`. */
export function grow(growth: Growth, pace: number, now: number): number {
  return growth.kind === 'ramp' ? climb(growth, pace, now) : cruise(growth, pace, now)
}

function climb(ramp: Ramp, pace: number, now: number): number {
  ramp.sends += 1
  const elapsed = ramp.since === null ? Infinity : now - ramp.since
  if (ramp.sends < RAMP_SENDS || elapsed < RAMP_MS) return pace
  const achieved = elapsed === Infinity ? pace : (ramp.sends * 1000) / elapsed
  ramp.sends = 0
  ramp.since = now
  // Only a pace that is really used proves anything.
  return achieved >= pace / 2 ? pace * 2 : pace
}

/** The shape is that of CUBIC (RFC 9438), counted in calls instead of round trips. */
function cruise(plateau: Plateau, pace: number, now: number): number {
  if (pace < plateau.returnTo) return returnQuickly(plateau, pace)
  plateau.sends += 1
  const quiet = now - plateau.since
  const x = Math.max(plateau.sends / plateau.length, quiet / QUIET_MS) - 1
  const cubic = plateau.capacity * (1 + DIP * x ** 3)
  const top = plateau.capacity * (1 + RISE)
  if (cubic <= top) return cubic
  plateau.stepSends += 1
  if (plateau.stepSends < plateau.length / 2) return Math.max(pace, top)
  plateau.stepSends = 0
  return Math.max(pace, top) * (quiet > LARGE_STEPS_AFTER_MS ? LARGE_STEP : STEP)
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
/** Known rates keep 1 % below: at exactly the limit a sliding window refuses 1.6 % of calls, at 0.99 none. */
const MARGIN = 0.99
/**
 * A refusal at a rate that is known to be allowed, far from any other, was a call that the network delayed into its
 * neighbour: half a percent more for each keeps them apart. 20 ms of jitter on a window of a second need 2 %.
 */
const MARGIN_FOR_STRAY = 0.005
const LEAST_MARGIN = 0.98
const DOUBTFUL_CUT = 0.97

/** With a share of the limit only: it is treated as known after so many calls without a refusal. */
const SENDS_TO_SETTLE = 60

export interface Speed {
  /** Calls a second. */
  pace: number
  /** Calls a second that the limit was last measured to allow; the pace until it is met. */
  capacity: number
  /** When the next call is due; null before the first. */
  nextAt: number | null
  /** Null where no limit is searched for. */
  growth: Growth | null
  /** Calls a second that the user knows to be allowed. */
  known: number | null
  /** Calls a second that are known, or stated by the endpoint, to be allowed; null while neither is so. */
  allowed: number | null
  /** Part of the limit to use at most. */
  share: number
  margin: number
  firstRefusalAt: number | null
  openings: number
}

/** `known`: calls a second that the limit allows, where the user knows them: no ramp, never faster. */
export function createSpeed(known: number | null, share: number): Speed {
  // The ramp, too, leaves the others their part.
  const pace = known === null ? START_PER_SECOND * share : known * share * MARGIN
  return {
    pace,
    capacity: pace,
    nextAt: null,
    growth: known === null ? rampFrom(null) : null,
    known,
    allowed: known,
    share,
    margin: MARGIN,
    firstRefusalAt: null,
    openings: 0,
  }
}

/** The pace never to be exceeded: our share of what is allowed, a little below it. Infinity while no limit is known. */
export const ceilingOf = ({ allowed, share, margin }: Speed): number => (allowed ?? Infinity) * share * margin

/** Whether the distance to a known rate can grow no more to explain refusals by delays. */
export const keepsLeastMargin = ({ margin }: Speed): boolean => margin <= LEAST_MARGIN

/** Milliseconds from one call to the next. */
export const slotMs = ({ pace }: Speed): number => 1000 / pace

/** `isProbe`: sent while the gate is closed. The call is among the admissions already. */
export function noteSent(speed: Speed, log: Admissions, now: number, isProbe: boolean): void {
  const slot = slotMs(speed)
  const dueAt = speed.nextAt ?? now
  // Up to half a slot of lateness is made good, for a known rate none: idle time is never repaid in a burst.
  speed.nextAt = Math.max(dueAt, speed.known === null ? now - slot / 2 : now) + slot
  // A call that waited for work proves nothing of the pace.
  if (!isProbe && now - dueAt < slot && speed.growth !== null)
    speed.pace = Math.min(ceilingOf(speed), grow(speed.growth, speed.pace, now))
  if (speed.share < 1 && speed.growth?.kind === 'plateau' && speed.growth.sends >= SENDS_TO_SETTLE)
    settle(speed, log)
}

/**
 * The probe sent at `openedAt` was admitted: the pace is a little below what was measured. `isDoubtful`: one refusal at a rate
 * that is known to be allowed says little.
 */
export function reopen(speed: Speed, openedAt: number, measured: Measurement, isDoubtful: boolean): void {
  const sends = speed.growth?.kind === 'plateau' ? speed.growth.sends : 0
  speed.capacity = Math.max(measured.capacity, isDoubtful ? DOUBTFUL_CUT * speed.capacity : 0)
  speed.pace = Math.min(ceilingOf(speed), RETURN_BELOW * speed.capacity)
  speed.openings += 1
  speed.growth = plateauAt(openedAt, { ...measured, capacity: speed.capacity }, sends)
  speed.nextAt = openedAt + slotMs(speed) / 2
}

/** A refusal at a known rate, far from any other: keeps a little further away, and the next call a slot off. */
export function holdBack(speed: Speed, now: number): void {
  speed.margin = Math.max(LEAST_MARGIN, speed.margin - MARGIN_FOR_STRAY)
  speed.pace = Math.min(speed.pace, ceilingOf(speed))
  speed.nextAt = Math.max(speed.nextAt ?? now, now + slotMs(speed))
}

/** The limit turned out to be one on calls at once, so that the rate is to be searched for again. */
export function searchAgain(speed: Speed, now: number): void {
  speed.growth = rampFrom(now)
  speed.pace = Math.max(speed.pace, speed.capacity)
}

/** A stated policy lowers a pace, and ends the search for it; it never raises one that the user gave. */
export function heedPolicy(speed: Speed, log: Admissions, stated: number | undefined): void {
  if (stated === undefined || (speed.known !== null && stated >= speed.known)) return
  if (stated === speed.allowed) return
  speed.allowed = stated
  if (speed.growth?.kind !== 'ramp' && speed.pace <= ceilingOf(speed)) return
  speed.pace = ceilingOf(speed)
  speed.capacity = stated
  speed.growth = null
  // What was sent before the policy was known has used up some of it already.
  payBack(speed, log, log.firstAt ?? 0)
}

/**
 * Who leaves a part of the limit to others keeps to his part, and does not feel for the edge again. What finding it
 * took beyond that part, since it was first met, is given back.
 */
function settle(speed: Speed, log: Admissions): void {
  speed.growth = null
  speed.pace = Math.min(ceilingOf(speed), speed.share * speed.capacity)
  payBack(speed, log, speed.firstRefusalAt ?? 0)
}

/** What was sent since then counts as if it had been sent at this pace. */
function payBack(speed: Speed, log: Admissions, since: number): void {
  const calls = countAdmitted(log, since, Infinity)
  speed.nextAt = Math.max(speed.nextAt ?? 0, since + calls * slotMs(speed))
}
