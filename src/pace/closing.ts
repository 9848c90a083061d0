// How long nothing is sent: the pauses within one episode of refusals, and the silence that speaks for a probe.

/** Nothing is sent from then until then. Milliseconds. */
export interface Closure {
  readonly from: number
  readonly until: number
}

const SECOND = 1000
/** The gate closes for no longer than this, whatever wait is named: then one probe asks again. */
export const LONGEST_CLOSURE_MS = 3600 * SECOND

/** The longer of the closure that is there and one of `ms` from `now`. */
export function closeFor(current: Closure | null, now: number, ms: number): Closure {
  const until = now + Math.min(ms, LONGEST_CLOSURE_MS)
  return current !== null && current.until >= until ? current : { from: now, until }
}

/** The cause of a closure, with the wait that the endpoint named. */
export const withWait = (cause: string, namedMs: number | undefined): string =>
  namedMs === undefined ? cause : `${cause}, Retry-After ${Number((namedMs / 1000).toFixed(1))} s`

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
 * Of a longer window a larger part, up to a bound: how long the call that began it was on its way, from a process that has
 * just started, is not known whole. Missing the turn costs a wait of half a window, and the next round time is treated as
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
/** Nor is the turn of a window of seconds overshot by as much as the time closed. */
const EARLY_BACKOFF = 1.6
const EARLY_MS = 5 * SECOND
/** A limiter whose memory is known is not kept waiting for longer than so much of it, or this: a limit that fell is found. */
const LONGEST_OF_MEMORY = 0.35
const SHORT_MEMORY_MS = 5 * SECOND
/**
 * A window of seconds turns about a memory after it opened. Where the process began in the middle of one, that is too soon:
 * around that time it is looked at in steps of so much of the memory, until so many memories after the opening.
 */
const LOOK_AROUND_TURN = 0.12
const LATEST_TURN = 1.3
/** The second pause of an episode at least: a refusal's round trip must fit in well. */
const SECOND_PAUSE_MS = 800
/** A window of seconds that was overrun by little turns sooner than that; what passes of the next one is lost. */
const SECOND_PAUSE_IN_SHORT_WINDOW_MS = 400

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
  if (named === 0) return own
  return episode.failedProbes === 0 ? named : Math.max(own, named)
}

function ownPauseMs(episode: Episode): number {
  const { failedProbes, closedForMs, sinceOpeningMs, slotMs, memoryMs, resetMs } = episode
  if (failedProbes === 0) return slotMs
  const isShort = episode.isShortWindow === true
  const leastMs = Math.max(2 * slotMs, isShort ? SECOND_PAUSE_IN_SHORT_WINDOW_MS : SECOND_PAUSE_MS)
  if (isShort && memoryMs > 0 && sinceOpeningMs < LATEST_TURN * memoryMs) {
    const untilTurn = memoryMs - sinceOpeningMs
    const isAhead = untilTurn > 0 && failedProbes <= 2
    return Math.max(leastMs, isAhead ? untilTurn + AFTER_TURN_MS : LOOK_AROUND_TURN * memoryMs)
  }
  if (failedProbes === 1) return leastMs
  // Trusted no sooner: on a sliding counter it names the end of a window that need not end.
  if (resetMs !== undefined && resetMs > 0) return resetMs + AFTER_TURN_MS
  const turn = ROUND_WINDOWS.find((window) => {
    const wait = window - sinceOpeningMs
    return wait >= closedForMs / 2 && wait <= 3 * closedForMs
  })
  const early = closedForMs < EARLY_MS ? EARLY_BACKOFF : BACKOFF
  const backoff = (memoryMs > 0 ? BACKOFF_IN_MEMORY : early) * closedForMs
  const pause = turn === undefined ? backoff : turn - sinceOpeningMs + afterTurnMs(turn)
  return memoryMs > 0 ? Math.min(pause, Math.max(SHORT_MEMORY_MS, LONGEST_OF_MEMORY * memoryMs)) : pause
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
