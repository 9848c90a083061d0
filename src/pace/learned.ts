// What was learned of the limit goes on under other rules, and in another run.
import { createMeter } from './capacity.ts'
import { ceilingOf, createSpeed, plateauAt, rampFrom, RETURN_BELOW } from './growth.ts'
import { createPaced, knownRate, type Paced, type Rules } from './state.ts'

/** A limit may have become lower since: the first calls of another run stay so far below it. */
const CAREFUL = 0.9
/** The search above a limit that is well known begins as late as after so many quiet calls. */
const WELL_KNOWN_SENDS = 50

/**
 * Another run begins with what the limit was last measured to allow. What was sent lately is over, and whether it is a limit on
 * calls at once is found anew: a wrong finding must not outlive the run.
 */
export function forAnotherRun(before: Paced, rules: Rules, now: number): Paced {
  const next = createPaced(rules)
  const { speed, meter } = before
  if (speed.openings === 0) return next
  Object.assign(next.speed, { pace: CAREFUL * speed.capacity, capacity: speed.capacity, openings: 1 })
  next.meter = { ...createMeter(), memoryMs: meter.memoryMs, isRampOver: true }
  adopt(next, rules, now)
  return next
}

/**
 * From now on these rules hold: the pace is that of a known rate, or what it was on the plateau around what was measured, or,
 * where the limit was not met, in the ramp as far as it was.
 */
export function adopt(paced: Paced, rules: Rules, now: number): void {
  const { speed, meter } = paced
  const { pace, capacity, openings } = speed
  const known = knownRate(rules)
  const next = createSpeed(known, rules.share)
  Object.assign(next, { nextAt: speed.nextAt, openings, firstRefusalAt: speed.firstRefusalAt })
  if (speed.isStated && (known === null || (speed.allowed ?? known) < known))
    Object.assign(next, { allowed: speed.allowed, isStated: true })
  paced.speed = next
  const ceiling = ceilingOf(next)
  const returnTo = RETURN_BELOW * capacity
  if (openings === 0 || returnTo >= ceiling) {
    if (ceiling < Infinity)
      Object.assign(next, { pace: ceiling, capacity: openings === 0 ? ceiling : capacity, growth: null })
    else Object.assign(next, { pace, capacity, growth: rampFrom(null) })
    return
  }
  Object.assign(next, { pace: Math.min(pace, ceiling), capacity })
  if (next.share < 1) Object.assign(next, { pace: Math.min(ceiling, next.share * capacity), growth: null })
  else
    next.growth = plateauAt(now, {
      capacity,
      returnTo,
      memoryMs: meter.memoryMs,
      sends: WELL_KNOWN_SENDS,
      misledMs: 0,
    })
}
