// The search for the limit: a ramp finds it, then a cubic plateau stays close to it. Both count paced calls.
import { DIP, DOUBLING_MS } from './constants.ts'

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
}

export const createRamp = (): Ramp => ({ kind: 'ramp', calls: 0, since: null })

export function grow(search: Search, pace: number, now: number) {
  const calls = search.calls + 1
  if (search.kind === 'plateau') {
    // The shape of CUBIC (RFC 9438), counted in calls instead of round trips.
    const { length, limit } = search
    return { pace: limit * (1 + DIP * (calls / length - 1) ** 3), search: { ...search, calls } }
  }
  const since = search.since ?? now
  const ms = now - since
  // A 429 must have time to arrive.
  if (ms < DOUBLING_MS) return { pace, search: { ...search, calls, since } }
  // Only a pace that was really used proves anything.
  const isUsed = (calls * 1000) / ms >= pace / 2
  return { pace: isUsed ? 2 * pace : pace, search: { ...search, calls: 0, since: now } }
}
