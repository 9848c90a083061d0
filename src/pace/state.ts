// All that a limiter knows, as one plain object: written as JSON it stays below 8 KB, and whoever reads it can go on from it.
import { type Admissions, createAdmissions } from './admissions.ts'
import { type Breaker, createBreaker } from './breaker.ts'
import { createMeter, type Meter } from './capacity.ts'
import type { Closure } from './closing.ts'
import { createSpeed, type Speed } from './growth.ts'
import { createInFlightLimit, type InFlightLimit } from './in-flight.ts'
import type { Rate } from './rate.ts'

/** Calls in flight where nobody says otherwise; the pace, not this, decides how many there are. */
export const AUTO_CONCURRENCY = 64

/** What the user asks of the limiter. */
export interface Rules {
  readonly rate: Rate
  /** Calls in flight at most. */
  readonly concurrency: number
  /** Part of the limit to use at most, above 0 and up to 1. */
  readonly share: number
}

/** Times are milliseconds of one monotonic clock, that of the store. */
export interface PaceState {
  /** The strictest of all processes. */
  rules: Rules
  /** By id. */
  processes: Record<string, Process>
  /** Calls sent so far, of all processes; the next call has this number. */
  sent: number
  /** The latest change worth a record, counted from 1. */
  told: { number: number; cause: string }
  steppedAt: number
  breaker: Breaker
  /** Null where nothing is paced. */
  paced: Paced | null
}

/** Its permits are void once it was not seen for a time. */
export interface Process {
  readonly rules: Rules
  seenAt: number
  /** Calls in flight, and calls that wait for a permit. */
  inFlight: number
  waiting: number
  /** The number of its latest call: who was served longest ago is the next. */
  servedIn: number
}

export interface Paced {
  speed: Speed
  log: Admissions
  meter: Meter
  inFlightLimit: InFlightLimit
  /** Null while the gate is open. `probe`: the number of the one call that asks whether the limit has opened. */
  closed: {
    readonly since: number
    failedProbes: number
    isNamed: boolean
    probe: { readonly number: number; readonly at: number } | null
  } | null
  closure: Closure | null
  /** Calls sent when a refusal was last heeded: that of a call with a smaller number says nothing new. */
  heededUpTo: number
  /** What a refusal takes. */
  refusalMs: number
  lastRefusalAt: number | null
  /** As it was reported last. */
  toldPace: number
}

/** A call as its process remembers it until its answer comes. */
export interface Sending {
  readonly number: number
  readonly at: number
  /** Calls in flight with this one. */
  readonly inFlight: number
}

export interface PaceChange {
  /** Calls a second, null for no limit. */
  readonly pace: number | null
  readonly closure: Closure | undefined
  readonly cause: string
  /** How many processes share the limit through Redis, where they do. */
  readonly processes?: number | undefined
}

const FIRST_REFUSAL_MS = 100

export function createPaceState(rules: Rules): PaceState {
  return {
    rules,
    processes: {},
    sent: 0,
    told: { number: 0, cause: '' },
    steppedAt: 0,
    breaker: createBreaker(),
    paced: rules.rate.kind === 'unlimited' ? null : createPaced(rules),
  }
}

export const knownRate = ({ rate }: Rules): number | null => (rate.kind === 'known' ? rate.perSecond : null)

export function createPaced(rules: Rules): Paced {
  const speed = createSpeed(knownRate(rules), rules.share)
  return {
    speed,
    log: createAdmissions(),
    meter: createMeter(),
    inFlightLimit: createInFlightLimit(),
    closed: null,
    closure: null,
    heededUpTo: 0,
    refusalMs: FIRST_REFUSAL_MS,
    lastRefusalAt: null,
    toldPace: speed.pace,
  }
}
