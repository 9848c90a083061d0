// How the pace grows while nothing is refused: a ramp to find the limit, then a cubic plateau around it.

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

/** Length of the plateau: so much of what the limiter remembers, at least these calls, growing with quiet runs. */
const PLATEAU_OF_MEMORY = 0.4
const SHORTEST_PLATEAU = 15
const LONGEST_GROWN_PLATEAU = 150
/** Where each refusal costs a long named wait, the next one is put off for so many waits' worth of calls. */
const PLATEAU_OF_MISLED_WAIT = 5

export type Growth =
  /** The limit has not been met yet. `since` the last doubling. */
  { readonly kind: 'ramp'; sends: number; since: number | undefined } | Plateau

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

/**
 * The plateau after an opening at `now`. `sends`: calls of the plateau before it; `misledMs`: the wait that was named
 * and not needed, 0 for none.
 */
export function plateauAt(
  now: number,
  opening: {
    readonly capacity: number
    readonly returnTo: number
    readonly memoryMs: number
    readonly sends: number
    readonly misledMs: number
  },
): Plateau {
  const { capacity, returnTo, memoryMs, sends, misledMs } = opening
  const length = Math.max(
    SHORTEST_PLATEAU,
    (PLATEAU_OF_MEMORY * memoryMs * capacity) / 1000,
    Math.min(LONGEST_GROWN_PLATEAU, sends),
    (PLATEAU_OF_MISLED_WAIT * misledMs * capacity) / 1000,
  )
  return { kind: 'plateau', capacity, length, since: now, returnTo, sends: 0, stepSends: 0 }
}

/** The pace (calls a second) after one more paced call. Changes `growth`. */
export function grow(growth: Growth, pace: number, now: number): number {
  return growth.kind === 'ramp' ? climb(growth, pace, now) : cruise(growth, pace, now)
}

function climb(ramp: Extract<Growth, { kind: 'ramp' }>, pace: number, now: number): number {
  ramp.sends += 1
  const elapsed = ramp.since === undefined ? Infinity : now - ramp.since
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
