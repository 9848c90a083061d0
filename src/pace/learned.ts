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
  next.meter = { ...createMeter(), memoryMs: meter.memoryMs }
  adopt(next, rules, now)
  return next
}

/**
 * From now on these rules hold: the pace is that of a known rate, or what it was on the plateau around what was measured, or,
 * where the limit was not met, in the ramp as far as it was.
 */
export function adopt(paced: Paced, rules: Rules, now: number): void {
  const { pace, capacity, nextAt, openings, firstRefusalAt, ...before } = paced.speed
  const known = knownRate(rules)
  const next = Object.assign(createSpeed(known, rules.share), { nextAt, openings, firstRefusalAt })
  const stated = before.allowed === before.known ? null : before.allowed
  if (stated !== null && stated < (known ?? Infinity)) next.allowed = stated
  paced.speed = next
  const ceiling = ceilingOf(next)
  const returnTo = RETURN_BELOW * capacity
  const isMet = openings > 0
  if (!isMet && ceiling === Infinity) Object.assign(next, { pace, capacity, growth: rampFrom(null) })
  else if (!isMet || returnTo >= ceiling)
    Object.assign(next, { pace: ceiling, capacity: isMet ? capacity : ceiling, growth: null })
  else if (next.share < 1)
    Object.assign(next, { pace: Math.min(ceiling, next.share * capacity), capacity, growth: null })
  else {
    const { memoryMs } = paced.meter
    const growth = plateauAt(now, { capacity, returnTo, memoryMs, misledMs: 0 }, WELL_KNOWN_SENDS)
    Object.assign(next, { pace: Math.min(pace, ceiling), capacity, growth })
  }
}
