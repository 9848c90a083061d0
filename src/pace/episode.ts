// How long the gate stays closed within one episode of refusals.

const SECOND = 1000
/** Real windows are round numbers: a probe at one of them after the last opening hits the next. */
export const ROUND_WINDOWS = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600].map(
  (s) => s * SECOND,
)
/**
 * After the turn of a window by our reckoning: its clock and the network are not ours. A probe that overtakes the call
 * which began the window is refused, and the next round time is twice as far: 5 ms cost up to a third of 1,000 calls.
 */
const AFTER_TURN_MS = 50
/**
 * Of a longer window a larger part, up to a bound: how long the call that began it was on its way, from a process that is
 * only just there, is not known whole. Missing the turn costs a wait of half a window, and the next round time is taken for
 * the window: 10 s become 15, and 15 calls a second 10.
 */
const AFTER_TURN_PART = 0.02
const AFTER_TURN_MOST_MS = 300
/**
 * Without a round time within reach the next probe comes after so many times the time closed; sooner where the
 * limiter's memory is known, since windows of the clock turn at any time within it.
 */
const BACKOFF = 2
const BACKOFF_IN_MEMORY = 1.4
/** A limiter whose memory is known is not kept waiting for longer than that memory, or this. */
const SHORT_MEMORY_MS = 5 * SECOND
/** The second pause of an episode at least: a refusal's round trip must fit in well. */
const SECOND_PAUSE_MS = 800
/** A window of seconds that was overrun by little turns sooner than that; what passes of the next one is lost. */
const SECOND_PAUSE_IN_SHORT_WINDOW_MS = 400
/** A wait that the endpoint names is kept up to here. */
const LONGEST_MS = 3600 * SECOND

export interface Episode {
  /** Probes refused so far. */
  readonly failedProbes: number
  /** Milliseconds for which the gate has been closed. */
  readonly closedForMs: number
  /** Milliseconds since the limiter last opened, as far as is known. */
  readonly sinceOpeningMs: number
  /** Milliseconds from one call to the next at the present pace. */
  readonly slotMs: number
  /** The limiter's memory (its window), 0 while it is not known. */
  readonly memoryMs: number
  /** The limiter seems to be a window of seconds, and let many calls through since it opened. */
  readonly isShortWindow?: boolean
  /** What the endpoint asked for. */
  readonly namedMs: number | undefined
  /** When the endpoint says that the limit resets, milliseconds from now. */
  readonly resetMs?: number | undefined
}

/** Milliseconds from now until the next probe. A named wait is a floor, never a promise. */
export function pauseMs(episode: Episode): number {
  const own = ownPauseMs(episode)
  const named = episode.namedMs ?? 0
  if (named === 0) return Math.min(own, LONGEST_MS)
  return Math.min(episode.failedProbes === 0 ? named : Math.max(own, named), LONGEST_MS)
}

function ownPauseMs(episode: Episode): number {
  const {
    failedProbes,
    closedForMs,
    sinceOpeningMs,
    slotMs,
    memoryMs,
    resetMs,
    isShortWindow = false,
  } = episode
  if (failedProbes === 0) return slotMs
  if (failedProbes === 1)
    return Math.max(2 * slotMs, isShortWindow ? SECOND_PAUSE_IN_SHORT_WINDOW_MS : SECOND_PAUSE_MS)
  // Trusted no sooner: on a sliding counter it names the end of a window that need not end.
  if (resetMs !== undefined && resetMs > 0) return resetMs + AFTER_TURN_MS
  const turn = ROUND_WINDOWS.find((window) => {
    const wait = window - sinceOpeningMs
    return wait >= closedForMs / 2 && wait <= 3 * closedForMs
  })
  const backoff = (memoryMs > 0 ? BACKOFF_IN_MEMORY : BACKOFF) * closedForMs
  const pause = turn === undefined ? backoff : turn - sinceOpeningMs + afterTurnMs(turn)
  return memoryMs > 0 ? Math.min(pause, Math.max(SHORT_MEMORY_MS, memoryMs)) : pause
}

const afterTurnMs = (windowMs: number): number =>
  Math.max(AFTER_TURN_MS, Math.min(AFTER_TURN_MOST_MS, AFTER_TURN_PART * windowMs))

/** A probe without a refusal by then was admitted: answers take seconds, refusals do not. */
const SILENCE_OF_ROUND_TRIPS = 4
const SHORTEST_SILENCE_MS = 300
/** In a window of seconds what passes meanwhile is lost; buckets and logs keep it as a reserve that saves refusals. */
const SHORTEST_SILENCE_IN_SHORT_WINDOW_MS = 150
const LONGEST_SILENCE_MS = 3000

/** Milliseconds after which silence speaks for a probe; `refusalMs`: what a refusal takes. */
export function silenceMs(refusalMs: number, isShortWindow = false): number {
  const shortest = isShortWindow ? SHORTEST_SILENCE_IN_SHORT_WINDOW_MS : SHORTEST_SILENCE_MS
  return Math.min(LONGEST_SILENCE_MS, Math.max(shortest, SILENCE_OF_ROUND_TRIPS * refusalMs))
}
