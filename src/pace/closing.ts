// How long the gate stays closed: the pauses within one episode of 429s, and the silence after which a probe counts as accepted.

/** A pause. Milliseconds. */
export interface Closure {
  readonly from: number
  readonly until: number
}

/** About 35 years: the end of a pause must be a date. `--give-up-after` says which waits are too long. */
const MAX_CLOSURE_MS = 2 ** 40

/** The later-ending of `current` and a closure of `ms` from `now`. */
export function closeFor(current: Closure | null, now: number, ms: number): Closure {
  const until = now + Math.min(ms, MAX_CLOSURE_MS)
  return current !== null && current.until >= until ? current : { from: now, until }
}

/** The cause of a closure with the wait that the endpoint named. */
export const withWait = (cause: string, namedMs: number | undefined): string =>
  namedMs === undefined ? cause : `${cause}, Retry-After ${Number((namedMs / 1000).toFixed(1))} s`

/** Real windows are round numbers: a probe one of them after the last opening meets the next window. */
export const ROUND_WINDOWS = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600].map(
  (s) => s * 1000,
)
/**
 * Probes this long after the expected turn of a window, for clock skew and network jitter. A probe that overtakes the call that
 * opened the window gets a 429, and the next round time is twice as far: 5 ms too early cost up to a third of 1,000 calls.
 */
const AFTER_TURN_MS = 100
/** A round time nearer than this multiple of the time closed is hardly worth a 429. */
const NEAREST_TURN = 0.7
/**
 * Without a round time in reach the pause is this multiple of the time closed; shorter if the limiter's memory is known, since a
 * window of the clock turns at any time within it.
 */
const BACKOFF = 1.6
const BACKOFF_IN_MEMORY = 1.4
/** Maximum pause as a share of a known memory, or absolute if longer: finds a lowered limit. */
const LONGEST_OF_MEMORY = 0.3
const SHORT_MEMORY_MS = 10_000
/** Maximum pause where the endpoint names none. */
const LONGEST_PAUSE_MS = 3_600_000
/** A probe at a round time has got its 429 by then. */
const JUST_TURNED_MS = 300
/** Minimum of the second pause: the round trip of a 429 must fit in. */
const SECOND_PAUSE_MS = 800
/** A window of seconds that was overrun by little turns sooner, within this share of the memory; what passes of the next one is lost. */
const SECOND_PAUSE_OF_MEMORY = 0.08
const SHORTEST_SECOND_PAUSE_MS = 400

export interface Episode {
  /** Refused probes so far. */
  readonly failedProbes: number
  /** How long the gate has been closed, milliseconds. */
  readonly closedForMs: number
  /** Since the limiter last opened, as far as is known, milliseconds. */
  readonly sinceOpeningMs: number
  /** From one call to the next at the present pace, milliseconds. */
  readonly slotMs: number
  /** The limiter's memory (its window), milliseconds; 0 if unknown. */
  readonly memoryMs: number
  /** A window without a long memory, as far as is known. */
  readonly isShort?: boolean
  /** Retry-After, milliseconds. */
  readonly namedMs: number | undefined
  /** When the limit resets by the endpoint's headers, milliseconds from now. */
  readonly resetMs?: number | undefined
}

/** Milliseconds until the next probe. A named wait is a lower bound. */
export function pauseMs(episode: Episode): number {
  const { failedProbes, namedMs: named = 0 } = episode
  return failedProbes === 0 && named > 0 ? named : Math.max(ownPauseMs(episode), named)
}

function ownPauseMs(episode: Episode): number {
  const { failedProbes, closedForMs, sinceOpeningMs, slotMs, memoryMs, resetMs } = episode
  if (failedProbes === 0) return slotMs
  const ofMemory = Math.max(SHORTEST_SECOND_PAUSE_MS, SECOND_PAUSE_OF_MEMORY * memoryMs)
  const least = Math.min(SECOND_PAUSE_MS, episode.isShort === true ? ofMemory : Infinity)
  if (failedProbes === 1) return Math.max(2 * slotMs, least)
  // Not trusted earlier: a sliding counter accepts calls before the reset that it names.
  if (resetMs !== undefined && resetMs > 0) return resetMs + AFTER_TURN_MS
  const turn = ROUND_WINDOWS.find((window) => {
    const wait = window - sinceOpeningMs
    return wait >= NEAREST_TURN * closedForMs && wait <= 3 * closedForMs
  })
  const backoff = (memoryMs > 0 ? BACKOFF_IN_MEMORY : BACKOFF) * closedForMs
  // The probe at a round time was refused. A window of this length that turned after our first call turns again within the time
  // in which it was used up: one more probe, if it does not miss the next round time.
  const usedUpMs = sinceOpeningMs - closedForMs
  const isMissed = ROUND_WINDOWS.some((ms) => ms <= sinceOpeningMs && sinceOpeningMs < ms + JUST_TURNED_MS)
  const pause = turn === undefined ? backoff : turn - sinceOpeningMs + AFTER_TURN_MS
  const leftMs = pause - usedUpMs - JUST_TURNED_MS
  if (isMissed && usedUpMs > 0 && leftMs >= NEAREST_TURN * (closedForMs + usedUpMs))
    return usedUpMs + AFTER_TURN_MS
  const ofKnown = memoryMs > 0 ? Math.max(SHORT_MEMORY_MS, LONGEST_OF_MEMORY * memoryMs) : LONGEST_PAUSE_MS
  return Math.min(pause, ofKnown, LONGEST_PAUSE_MS)
}

/** A probe without a 429 by then was accepted: answers take seconds, 429s do not. */
const SILENCE_OF_ROUND_TRIPS = 4
const SHORTEST_SILENCE_MS = 150
const LONGEST_SILENCE_MS = 3000
/** After a single 429 little was closed: a longer silence would cost more than the 429 itself. */
const FIRST_SILENCE = 0.5

/** Milliseconds of silence after which a probe counts as accepted. `refusalMs`: how long a 429 takes. */
export function silenceMs(refusalMs: number, failedProbes: number): number {
  const silence = Math.max(SHORTEST_SILENCE_MS, SILENCE_OF_ROUND_TRIPS * refusalMs)
  return Math.min(LONGEST_SILENCE_MS, failedProbes === 0 ? FIRST_SILENCE * silence : silence)
}
