// Everything that a limiter knows, as one plain object: at most 8 KB of JSON, and enough to continue from.
// Times are milliseconds of the store's monotonic clock; paces and limits are calls a second.
import type { Breaker } from './breaker.ts'
import { MARGIN, MIN_SILENCE_MS, START_PER_SECOND } from './constants.ts'
import { createInFlightLimit, type InFlightLimit } from './in-flight.ts'
import { countCalls, firstAt, type Log } from './log.ts'
import { type Policy, rateOf, type SentCall } from './observation.ts'
import type { Eased, Pause } from './pause.ts'
import { isStated, knownRate, type PaceRules } from './rules.ts'
import { createRamp, type Search } from './search.ts'

export interface PaceState {
  readonly rules: PaceRules
  /** Counts calls sent; the number of the next call. */
  readonly sent: number
  /** Counts calls that are still to be sent; null if that is unknown. */
  readonly left: number | null
  /** Is the latest change that was reported, numbered from 1, and the pace then. */
  readonly reported: { readonly number: number; readonly cause: string; readonly pace: number }
  /** Is the latest pause after a 429, or that the endpoint named; other results do not shorten it. */
  readonly pause: Pause | null
  readonly breaker: Breaker
  readonly overload: Overload
  /** Counts calls a second: Infinity with `--rate unlimited`, which the breaker alone pauses. */
  readonly pace: number
  /** Is what was allowed when last measured; null before a 429. */
  readonly limit: number | null
  /** Is when the next call is due; null before the first. */
  readonly nextAt: number | null
  /** Is null where nothing is searched for: at a rate that the user or the endpoint states. */
  readonly search: Search | null
  /** Is null while the gate is open. */
  readonly closed: Closed | null
  readonly log: Log
  /** Is the limiter's memory, such as its window: at most the time between two openings; 0 if unknown. */
  readonly memoryMs: number
  /** Counts the calls that were accepted in that time. */
  readonly memoryCalls: number
  /** Is how long it was closed when it was last used up. */
  readonly closedMs: number
  /** Is when the limit last opened after it was used up; below, when it last opened at all. */
  readonly openedAt: number | null
  readonly lastOpenedAt: number | null
  /** Is the first of the latest close 429s: since then the limit is used up, its burst included. */
  readonly streakFrom: number | null
  /** Is the limit once it is found, with a share below 1. Its share is the maximum pace from then on. */
  readonly found: number | null
  readonly eased: Eased
  /** Counts calls sent when a 429 last changed the pace: a 429 to an earlier call says nothing new. */
  readonly heededUpTo: number
  /** Is how long the latest 429 took to arrive. */
  readonly refusalMs: number
  readonly inFlight: InFlightLimit
  readonly stated: Stated
  /** Is the stated policy that sets the pace. */
  readonly policy: StatedPolicy | null
}

/** Says whether 503s are a limit. */
export interface Overload {
  /** Is the call at which 503s in a row paused the endpoint; null before, and if they did so again soon. */
  readonly trippedAt: number | null
  /** Says that they are one, or may be: they are read as 429s. */
  readonly isLimit: boolean
  /** Counts pauses for them a few calls after the last one in a row: a lower pace does not help. */
  readonly inVain: number
  /** Is the latest 503 that named a wait, and how many came a few calls apart. */
  readonly named: { readonly number: number; readonly count: number }
  /** Says that they came back: one pause alone may have been an outage. */
  readonly isBack: boolean
}

/** Adds the number of the call from which on nothing remains; null if what remains is not stated. */
export type StatedPolicy = Policy & { readonly reaches: number | null }

/** Holds `all` as of call `asOf`, the latest whose response stated anything. */
export interface Stated {
  readonly asOf: number
  readonly all: readonly StatedPolicy[]
}

/** Lasts from the 429 that closes the gate to the probe that is accepted. */
export interface Closed {
  readonly since: number
  /** Is when the call of the latest 429 was sent. */
  readonly lastRefusalAt: number
  readonly refusedProbes: number
  readonly isNamed: boolean
  /** Tests if the limit has opened. */
  readonly probe: SentCall | null
}

export function createPaceState(rules: PaceRules): PaceState {
  const pace = startPace(rules)
  return {
    rules,
    sent: 0,
    left: null,
    reported: { number: 0, cause: '', pace },
    pause: null,
    breaker: { failures: 0, probe: null, pause: null },
    overload: { trippedAt: null, isLimit: false, inVain: 0, named: { number: 0, count: 0 }, isBack: false },
    pace,
    limit: null,
    nextAt: null,
    search: rules.rate.kind === 'auto' ? createRamp() : null,
    closed: null,
    log: [],
    memoryMs: 0,
    memoryCalls: 0,
    closedMs: 0,
    openedAt: null,
    lastOpenedAt: null,
    streakFrom: null,
    found: null,
    eased: { calls: 0, until: 0, slots: 1, times: 0 },
    heededUpTo: 0,
    refusalMs: MIN_SILENCE_MS,
    inFlight: createInFlightLimit(),
    stated: { asOf: 0, all: [] },
    policy: null,
  }
}

/** Leaves the other traffic its share in the ramp, too. */
export function startPace(rules: PaceRules): number {
  if (rules.rate.kind === 'unlimited') return Infinity
  return rules.share * (isStated(rules) ? MARGIN * knownRate(rules) : START_PER_SECOND)
}

/** Gives the maximum pace: our share of the known, stated or found rate, less the margin, or Infinity. */
export const ceilingOf = ({ rules, policy, found }: PaceState): number =>
  Math.min(knownRate(rules), policy === null ? Infinity : rateOf(policy), found ?? Infinity) *
  rules.share *
  MARGIN

/** Is when the calls so far would have been sent at a pace. */
export function paidAt({ log }: PaceState, pace: number): number {
  const since = firstAt(log) ?? 0
  return since + (countCalls(log, since, Infinity) * 1000) / pace
}

export const slotMs = ({ pace }: PaceState): number => 1000 / pace

/** Reports a change to the listeners; no cause, no change. */
export function reportChange(state: PaceState, cause: string | undefined): PaceState {
  if (cause === undefined) return state
  return { ...state, reported: { number: state.reported.number + 1, cause, pace: state.pace } }
}
