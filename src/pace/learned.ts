// What a run has shown of the limit: told with the pace, and what another run, or one with other rules, begins with.
import type { InferredLimit } from '../domain/limit.ts'
import { countAdmitted } from './admissions.ts'
import { createMeter } from './capacity.ts'
import { ceilingOf, createSpeed, plateauAt, rampFrom, RETURN_BELOW } from './growth.ts'
import { capOf } from './in-flight.ts'
import { createPaced, knownRate, type Evidence, type Paced, type Rules } from './state.ts'

/** A rate is taken between openings that are so many calls apart; before that the last measurement stands. */
const FEWEST_CALLS = 100
/** Openings remembered. */
const MOST_OPENINGS = 24

export interface OpeningSeen {
  /** When the probe that was admitted was sent, and the call that was refused last. */
  readonly at: number
  readonly lastRefusalAt: number
  readonly capacity: number
  /** After a long wait, as at the turn of a window. */
  readonly isTurn: boolean
}

export function noteOpening({ evidence, log }: Pick<Paced, 'evidence' | 'log'>, opening: OpeningSeen): void {
  const { at, lastRefusalAt, capacity, isTurn } = opening
  remember(evidence.openings, at)
  if (isTurn) remember(evidence.turns, at)
  const firstAt = log.firstAt ?? at
  const accepted = countAdmitted(log, firstAt, lastRefusalAt)
  evidence.burst ??= Math.max(0, Math.round(accepted - (capacity * (lastRefusalAt - firstAt)) / 1000))
}

/** The first and the latest times stay, and every second of those between. */
function remember(times: number[], at: number): void {
  times.push(at)
  if (times.length <= MOST_OPENINGS) return
  const kept = times.filter((_, place) => place % 2 === 0 || place === times.length - 1)
  times.splice(0, Infinity, ...kept)
}

/** Undefined while the limit has shown nothing of what it accepts. */
export function describeLimit(paced: Paced): InferredLimit | undefined {
  const { evidence, speed, meter, inFlightLimit } = paced
  const cap = capOf(inFlightLimit)
  const isAtOnce = cap < Infinity
  if (evidence.openings.length === 0 && !speed.isStated && !isAtOnce) return undefined
  const isWindow = meter.memoryMs > 0
  const shown = speed.isStated ? undefined : sustained(paced, isWindow ? evidence.turns : evidence.openings)
  return {
    kind: isAtOnce ? 'at-once' : speed.isStated ? 'stated' : isWindow ? 'window' : 'rate',
    perSecond: isAtOnce ? null : (shown ?? speed.capacity),
    windowMs: isWindow ? meter.memoryMs : null,
    burst: evidence.burst,
    atOnce: isAtOnce ? cap : null,
    episodes: evidence.episodes,
    refusals: evidence.refusals,
  }
}

/**
 * Calls a second between two openings: at both the limit had just been used up, so that neither what was saved up
 * before nor the ramp counts. The later half of the run, where that is long enough: a limit may have changed.
 */
function sustained({ log }: Paced, between: Evidence['openings']): number | undefined {
  const [first, last] = [between[0], between.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const half = between.find((at) => at >= (first + last) / 2) ?? first
  for (const from of [half, first]) {
    const calls = countAdmitted(log, from, last) - 1
    if (calls >= FEWEST_CALLS) return (calls * 1000) / (last - from)
  }
  return undefined
}

/** A limit may have become lower since: the first calls of another run stay so far below it. */
const CAREFUL = 0.9
/** The search above a limit that is well known begins as late as after so many quiet calls. */
const WELL_KNOWN_SENDS = 50

/**
 * Another run begins with what the limit accepted. Of the latest measurement and what was kept up, the larger: a pace that is
 * too high is refused and corrected within seconds, one that is too low grows for minutes. What was sent lately is over, and
 * whether it is a limit on calls at once is found anew: a wrong finding must not outlive the run.
 */
export function forAnotherRun(before: Paced, rules: Rules, now: number): Paced {
  const next = createPaced(rules)
  const { speed, meter } = before
  if (speed.openings === 0) return next
  const allowed = Math.max(speed.capacity, describeLimit(before)?.perSecond ?? speed.capacity)
  Object.assign(next.speed, { pace: CAREFUL * allowed, capacity: allowed, openings: 1 })
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
