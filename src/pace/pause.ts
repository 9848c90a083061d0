// The pauses while the gate is closed, and the silence after which a probe counts as accepted.
import {
  BACKOFF,
  BACKOFF_MS,
  BURST_CALLS,
  DOUBLING_MS,
  GONE_MS,
  MAX_BACKOFF_MS,
  MAX_PAUSE_MS,
  MAX_PLATEAU_CALLS,
  MIN_SILENCE_MS,
  ROUND_WINDOWS,
  SILENCE_ROUND_TRIPS,
} from './constants.ts'
import type { Refusal } from './observation.ts'

export interface Pause {
  readonly from: number
  readonly until: number
}

/** Gives the later-ending of `current` and a pause of `ms` from `now`. */
export function pauseFor(current: Pause | null, now: number, ms: number): Pause {
  const until = now + Math.min(ms, MAX_PAUSE_MS)
  return current !== null && current.until >= until ? current : { from: now, until }
}

export const withWait = (cause: string, namedMs: number | undefined): string =>
  namedMs === undefined ? cause : `${cause}, Retry-After ${Number((namedMs / 1000).toFixed(1))} s`

export const refusalCause = ({ code, namedMs, status = 429 }: Refusal): string =>
  withWait(code === undefined ? `${status}` : `${status} ${code}`, namedMs)

export interface Episode {
  readonly refusedProbes: number
  readonly closedForMs: number
  /** Counts milliseconds since the limit last opened, as far as is known. */
  readonly sinceOpeningMs: number
  readonly slotMs: number
  readonly namedMs: number | undefined
  readonly resetMs?: number | undefined
  /** Counts milliseconds until the window turns that is used up like the one before; 0 if none is. */
  readonly windowLeftMs: number
  /** Says that the limit has not opened before. */
  readonly isFirst: boolean
}

/** Counts milliseconds until the next probe. A named wait is a lower bound. */
export function nextPause(episode: Episode): number {
  const { refusedProbes, namedMs = 0, windowLeftMs } = episode
  if (windowLeftMs > 0) return Math.max(namedMs, windowLeftMs + MIN_SILENCE_MS)
  return refusedProbes === 0 && namedMs > 0 ? namedMs : Math.max(unnamedPause(episode), namedMs)
}

function unnamedPause(episode: Episode): number {
  const { refusedProbes, closedForMs, sinceOpeningMs, slotMs, namedMs = 0, resetMs = 0 } = episode
  if (refusedProbes === 0) return slotMs
  const turn = ROUND_WINDOWS.find((ms) => ms > sinceOpeningMs + slotMs) ?? Infinity
  const turnMs = turn - sinceOpeningMs + MIN_SILENCE_MS
  // The second probe comes soon, or at a turn that does; a named wait that was refused was long enough.
  const secondMs = Math.max(2 * slotMs, DOUBLING_MS)
  if (refusedProbes === 1 && closedForMs < secondMs)
    return turnMs <= 2 * secondMs ? Math.max(turnMs, secondMs) : secondMs
  // Not trusted earlier: a sliding counter accepts calls before the reset that it names.
  if (resetMs > 0) return resetMs + MIN_SILENCE_MS
  // A window turns a round time after it opened; if that was refused just now, it turned after our first
  // call, and again by the same time after the limit closed. A block ends a round time after that, too.
  const missed = ROUND_WINDOWS.find((ms) => ms <= sinceOpeningMs && sinceOpeningMs < ms + 3 * MIN_SILENCE_MS)
  const isTurned = (ms: number): boolean => ms > closedForMs + slotMs && turn > 1.5 * ms
  const end =
    ROUND_WINDOWS.find((ms) => ms > BACKOFF * closedForMs || (ms === missed && isTurned(ms))) ?? Infinity
  // Where waits are named a block would be, too: before the limit has opened only turns are tried.
  const endMs = episode.isFirst && namedMs > 0 ? Infinity : end - closedForMs + MIN_SILENCE_MS
  return Math.min(turnMs, endMs, Math.max(...ROUND_WINDOWS))
}

/** Counts the silence that accepts a probe, in milliseconds: answers take seconds, 429s `refusalMs`. */
export function silenceAfter(refusalMs: number, refusedProbes: number): number {
  const silence = Math.max(MIN_SILENCE_MS, SILENCE_ROUND_TRIPS * refusalMs)
  // After a single 429 little was closed: a longer silence would cost more than the 429 itself.
  return Math.min(GONE_MS, refusedProbes === 0 ? silence / 2 : silence)
}

/**
 * A rate that the user states is kept, waits are obeyed, and nothing is learned of the limit. A 429 slows the
 * next call, and twice as many each time 429s follow on each other: a rate that is too high is not refused
 * again and again. Ten calls without a 429 end the doubling. `calls` calls after an opening, up to call
 * `until`, have a distance of so many `slots`. `times` counts the 429s that closed the gate.
 */
export interface Eased {
  readonly calls: number
  readonly until: number
  readonly slots: number
  readonly times: number
}

/** Notes a 429 that closes the gate before call `number`. */
export const easeFrom = ({ calls, until, slots, times }: Eased, number: number): Eased => ({
  calls: number - until < 2 * BURST_CALLS ? Math.min(MAX_PLATEAU_CALLS, Math.max(1, 2 * calls)) : 1,
  slots: 1.25 * (number < until ? slots : 1),
  until,
  times: times + 1,
})

/** Gives the pause after a 429 at a stated rate: the named wait. It grows while refusals go on. */
export const pauseAtUserRate = ({ refusedProbes, namedMs = 0, resetMs = 0 }: Episode): number =>
  refusedProbes === 0
    ? namedMs
    : Math.max(namedMs, resetMs, Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** (refusedProbes - 1)))
