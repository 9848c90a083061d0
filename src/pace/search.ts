// The search for the limit: a ramp finds it, then a cubic plateau stays close to it. Both count paced calls.
import {
  DIP,
  DOUBLING_CALLS,
  DOUBLING_MS,
  MAX_PLATEAU_CALLS,
  MIN_CALLS,
  PLATEAU_MEMORIES,
  PLATEAU_WAITS,
} from './constants.ts'
import type { PaceRules } from './rules.ts'

export type Search = Ramp | Plateau

/** Lasts until the first 429. `since` is the last doubling, or the first call; null before it. */
export interface Ramp {
  readonly kind: 'ramp'
  readonly calls: number
  readonly since: number | null
}

export interface Plateau {
  readonly kind: 'plateau'
  readonly calls: number
  /** Counts calls from the start to the middle. */
  readonly length: number
  /** Estimates the limit, calls a second: the pace in the middle. */
  readonly limit: number
  readonly returnTo: number
}

export const createRamp = (): Ramp => ({ kind: 'ramp', calls: 0, since: null })

interface PlateauRules {
  readonly limit: number
  readonly returnTo: number
  /** Is the time over which the limiter counts: a window refuses at its end what was too fast before. */
  readonly memoryMs: number
  /** Is the length of a long named wait: the next one comes after the calls of some such waits. */
  readonly waitMs?: number
  /** Counts the calls of the plateau before, without a 429. */
  readonly quietCalls?: number
}

export function createPlateau(rules: PlateauRules): Plateau {
  const { limit, returnTo, memoryMs, waitMs = 0, quietCalls = 0 } = rules
  const callsIn = (ms: number): number => (ms * limit) / 1000
  const length = Math.max(
    MIN_CALLS,
    Math.min(MAX_PLATEAU_CALLS, Math.max(callsIn(PLATEAU_MEMORIES * memoryMs), quietCalls)),
    callsIn(PLATEAU_WAITS * waitMs),
  )
  return { kind: 'plateau', calls: 0, length, limit, returnTo }
}

export const belowLimit = (limit: number): number => (1 - DIP) * limit

export function grow(search: Search, pace: number, now: number): { pace: number; search: Search } {
  const calls = search.calls + 1
  if (search.kind === 'ramp') {
    const since = search.since ?? now
    const ms = now - since
    // A 429 must have time to arrive.
    if (calls < DOUBLING_CALLS || ms < DOUBLING_MS) return { pace, search: { ...search, calls, since } }
    // Only a pace that was really used proves anything.
    const isUsed = (calls * 1000) / ms >= pace / 2
    return { pace: isUsed ? 2 * pace : pace, search: { ...search, calls: 0, since: now } }
  }
  const { length, limit, returnTo } = search
  if (pace < returnTo) {
    if (calls < DOUBLING_CALLS) return { pace, search: { ...search, calls } }
    const returned = Math.min(2 * pace, returnTo)
    const next = { ...search, calls: 0, limit: Math.max(limit, returned) }
    return { pace: returned, search: returned < returnTo ? next : { ...next, returnTo: 0 } }
  }
  // The shape of CUBIC (RFC 9438), counted in calls instead of round trips.
  return { pace: limit * (1 + DIP * (calls / length - 1) ** 3), search: { ...search, calls } }
}

/** Gives the limit once a plateau was accepted up to it: the search for a share ends there. */
export const foundUpTo = (search: Search, { share }: PaceRules): number | null =>
  share < 1 && search.kind === 'plateau' && search.calls >= search.length ? search.limit : null
