// Keeps what was learned about the limit under changed rules, and for another run.
import { ceilingOf, createSpeed, plateauAt, rampFrom, RETURN_BELOW } from './growth.ts'
import { createPaced, knownRate, type Paced, type Rules } from './state.ts'

/** The limit may be lower by now: another run starts at this share of it. */
const CAREFUL = 0.9
/** Above a limit that is known, the search starts as late as after this many calls without a 429. */
const WELL_KNOWN_SENDS = 50

/**
 * Another run starts from the last measured limit. It finds out again whether the limit is one on concurrency: a wrong finding
 * must not outlive its run.
 */
export function forAnotherRun(before: Paced, rules: Rules, now: number): Paced {
  const next = createPaced(rules)
  const { speed, meter } = before
  if (speed.openings === 0) return next
  Object.assign(next.speed, { pace: CAREFUL * speed.capacity, capacity: speed.capacity, openings: 1 })
  next.meter.memoryMs = meter.memoryMs
  adopt(next, rules, now)
  return next
}

/** Applies new rules: the pace of a known rate, else the plateau around the measured limit, else the ramp where it was. */
export function adopt(paced: Paced, rules: Rules, now: number): void {
  const { pace, capacity, nextAt, stated, policy, openings, firstRefusalAt } = paced.speed
  const fresh = createSpeed(knownRate(rules), rules.share)
  const next = { ...fresh, capacity, nextAt, growth: null, stated, policy, openings, firstRefusalAt }
  paced.speed = next
  const ceiling = ceilingOf(next)
  const returnTo = RETURN_BELOW * capacity
  if (openings === 0 && ceiling === Infinity) Object.assign(next, { pace, growth: rampFrom(null) })
  else if (openings === 0) Object.assign(next, { pace: ceiling, capacity: ceiling })
  else if (returnTo >= ceiling) next.pace = ceiling
  else if (next.share < 1) next.pace = Math.min(ceiling, next.share * capacity)
  else {
    const { memoryMs } = paced.meter
    const growth = plateauAt(now, { capacity, returnTo, memoryMs, owedMs: 0, misledMs: 0 }, WELL_KNOWN_SENDS)
    Object.assign(next, { pace: Math.min(pace, ceiling), growth })
  }
}
