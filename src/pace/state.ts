// Everything that a limiter knows, as one plain object: at most 8 KB of JSON, and enough to continue from.
import { type Admissions, createAdmissions } from './admissions.ts'
import { type Breaker, createBreaker } from './breaker.ts'
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
  /** Maximum share of the limit to use, above 0 and up to 1. */
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
  reported: { number: number; cause: string }
  steppedAt: number
  /** The latest pause after a 429, or that the endpoint named; other results do not shorten it. */
  closure: Closure | null
  breaker: Breaker
  /** Null with `--rate unlimited`. */
  paced: Paced | null
}

export interface Process {
  readonly rules: Rules
  seenAt: number
  inFlight: number
  /** Whether a call waits for a permit. */
  isWaiting: boolean
  /** Calls that it has still to send, as far as it knows; null if it does not. */
  left: number | null
  /** Number of its latest call: the process that was served longest ago is next. */
  servedIn: number
}

export interface Paced {
  speed: Speed
  log: Admissions
  meter: Meter
  inFlightLimit: InFlightLimit
  /** Null while the gate is open. */
  closed: Closing | null
  /** Calls sent when a 429 last changed the pace: a 429 to an earlier call says nothing new. */
  heededUpTo: number
  /** How long a 429 takes to arrive, smoothed. */
  refusalMs: number
  /** The pace that was reported last. */
  reportedPace: number
}

/** What is known about when the limit opens. */
export interface Meter {
  /** The limiter's memory, milliseconds: at most the time between two openings; 0 if unknown. */
  memoryMs: number
  /** When the limiter last opened after it was used up, and when it last opened at all. */
  openedAt: number | null
  lastOpenedAt: number | null
  /** Calls from an opening until the limit was used up, and how long that took, milliseconds. */
  usedUp: { readonly calls: number; readonly ms: number } | null
  /** Whether named waits end windows of equal counts; null until two were seen. */
  isWindow: boolean | null
  /** 429s that follow each other closely. Since the first one the limit is used up, its burst included. */
  streak: { readonly since: number; readonly isAfterRamp: boolean } | null
}

/** From the 429 that closes the gate to the probe that is accepted. */
export interface Closing {
  readonly since: number
  /** When the call of the latest 429 was sent. */
  lastRefusalAt: number
  /** The first probe counts as refused where it would be. */
  failedProbes: number
  /** The endpoint named the wait. */
  isNamed: boolean
  /** Whether the limit accepted as many calls as the time before; null for the first time. */
  readonly isRepeated: boolean | null
  /** The limit does not open before; 0 if unknown. */
  readonly turnsFrom: number
  /** The one call that tests whether the limit has opened. */
  probe: { readonly number: number; readonly at: number } | null
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
  /** The endpoint's policy that sets it, in words. */
  readonly policy?: string | undefined
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
    reported: { number: 0, cause: '' },
    steppedAt: 0,
    closure: null,
    breaker: createBreaker(),
    paced: rules.rate.kind === 'unlimited' ? null : createPaced(rules),
  }
}

/** Calls that all processes have still to send; Infinity if one of them does not know. */
export function leftToSend({ processes }: PaceState): number {
  const all = Object.values(processes)
  return all.length === 0 ? Infinity : all.reduce((sum, { left }) => sum + (left ?? Infinity), 0)
}

export const knownRate = ({ rate }: Rules): number | null => (rate.kind === 'known' ? rate.perSecond : null)

export function createPaced(rules: Rules): Paced {
  const speed = createSpeed(knownRate(rules), rules.share)
  return {
    speed,
    log: createAdmissions(),
    meter: {
      memoryMs: 0,
      openedAt: null,
      lastOpenedAt: null,
      usedUp: null,
      isWindow: null,
      streak: null,
    },
    inFlightLimit: createInFlightLimit(),
    closed: null,
    heededUpTo: 0,
    refusalMs: FIRST_REFUSAL_MS,
    reportedPace: speed.pace,
  }
}
