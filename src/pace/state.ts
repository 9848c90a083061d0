// Everything that a limiter knows, as one plain object: at most 8 KB of JSON, and enough to continue from.
import { type Admissions, createAdmissions } from './admissions.ts'
import { type Breaker, createBreaker } from './breaker.ts'
import { createMeter, type Meter } from './capacity.ts'
import type { Closure } from './closing.ts'
import { createSpeed, type Speed } from './growth.ts'
import { createInFlightLimit, type InFlightLimit } from './in-flight.ts'
import type { Rate } from './rate.ts'

/** Default maximum of calls in flight; normally the pace keeps them below it. */
export const AUTO_CONCURRENCY = 64

/** The user's settings. */
export interface Rules {
  readonly rate: Rate
  /** Maximum calls in flight. */
  readonly concurrency: number
  /** Maximum part of the limit to use, above 0 and up to 1. */
  readonly share: number
}

/** Times are milliseconds of the store's monotonic clock. */
export interface PaceState {
  /** The strictest of all processes' rules. */
  rules: Rules
  /** By id. */
  processes: Record<string, Process>
  /** Calls sent by all processes; the number of the next call. */
  sent: number
  /** The latest change that was reported, numbered from 1. */
  told: { number: number; cause: string }
  steppedAt: number
  breaker: Breaker
  /** Null with `--rate unlimited`. */
  paced: Paced | null
}

export interface Process {
  readonly rules: Rules
  seenAt: number
  /** Calls in flight, and calls that wait for a permit. */
  inFlight: number
  waiting: number
  /** Number of its latest call: the process that was served longest ago is next. */
  servedIn: number
}

export interface Paced {
  speed: Speed
  log: Admissions
  meter: Meter
  inFlightLimit: InFlightLimit
  /** Null while the gate is open. `probe`: the one call that tests whether the limit has opened. */
  closed: {
    readonly since: number
    failedProbes: number
    isNamed: boolean
    probe: { readonly number: number; readonly at: number } | null
  } | null
  closure: Closure | null
  /** Calls sent when a 429 last changed the pace: a 429 to an earlier call says nothing new. */
  heededUpTo: number
  /** How long a 429 takes to arrive, smoothed. */
  refusalMs: number
  lastRefusalAt: number | null
  /** The pace that was reported last. */
  toldPace: number
}

/** A sent call, until its result arrives. */
export interface Sending {
  readonly number: number
  readonly at: number
  /** Calls in flight, this one included. */
  readonly inFlight: number
}

export interface PaceChange {
  /** Calls a second, null for no limit. */
  readonly pace: number | null
  readonly closure: Closure | undefined
  readonly cause: string
  /** How many processes share the limit through Redis; undefined without Redis. */
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
