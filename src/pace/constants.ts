// The table of pacing: every constant, and what it is worth. With another value (in brackets) the mean of the
// classes changes by so many points of share / of 429s, and the class that changes most by those behind it.
// From `npm run bench -- pacing --ablate --seeds 2001-2003`: 1,000 calls, seeds that were not tuned on. A mean
// of 0.3 points is noise.

// ---- Search: calls a second, and calls

/** Is the pace until something is known (2: −1.3 / +0.03, limit changes once −5.2 / −0.03). */
export const START_PER_SECOND = 4
/** Is the share of a known or stated rate that is used (1: +0.0 / +0.00, RateLimit-Policy +1.0 / +0.00). */
export const MARGIN = 0.99
/**
 * The ramp, and a return to an earlier pace, double after so many calls (3: −0.1 / +0.03, leaky queue −3.2
 * / +0.22).
 */
export const DOUBLING_CALLS = 5
/**
 * They need so many milliseconds, too: a 429 must have time to arrive (350: −0.3 / +0.17, whole seconds at
 * 10/s −4.9 / +0.29).
 */
export const DOUBLING_MS = 700
/**
 * The plateau begins so far below the limit, and flattens at it (0.015: −0.2 / −0.06, limit swings −1.9 /
 * −1.24; 0.06: −0.1 / +0.03, whole seconds at 10/s −2.7 / +0.12).
 */
export const DIP = 0.03
/** The plateau has the calls of so many memories (0.8: −0.3 / +0.01, blocked for 5 s −7.7 / +0.00). */
export const PLATEAU_MEMORIES = 1.6
/**
 * It has the calls without a 429 if they are more, up to so many (60: −0.1 / +0.19, limit changes once +5.3
 * / +0.16; 240: −0.1 / −0.08, limit changes once −3.6 / −0.11).
 */
export const MAX_PLATEAU_CALLS = 120
/**
 * Fewer calls measure nothing, end no plateau, change no cap (7: +0.7 / +0.60, limit swings +13.5 / +7.05;
 * 30: −0.8 / −0.21, limit swings −5.4 / −2.70).
 */
export const MIN_CALLS = 15
/**
 * After a long named wait, which the limit may not need, the plateau has the calls of so many waits (0:
 * −0.2 / +0.02, Retry-After: 60 always −4.2 / +0.12; 8: −0.0 / −0.01).
 */
export const PLATEAU_WAITS = 8
/**
 * The pace then returns to this share of the rate before the wait (0: −2.8 / −0.09, Retry-After: 60 always
 * −40.8 / −0.15; 0.8: +0.1 / +0.08, Retry-After: 60 always −5.2 / +0.07).
 */
export const RETURN = 0.8

// ---- Measuring the limit

/**
 * A short measurement cuts to no less than this share (0.2: −0.5 / +0.02, GCRA without burst −7.1 / −0.24).
 */
export const MIN_CUT = 0.4
/**
 * A limit that was closed for longer was used up (never: −0.1 / +0.04, Retry-After: 60 always −2.3 /
 * +0.25).
 */
export const HEAVY_MS = 2000
/**
 * 429s with up to so many calls between them are one streak (0: −0.0 / +1.04, limit swings +15.0 / +10.41;
 * 20: +0.0 / +0.20, leaky queue −6.7 / +3.26).
 */
export const STREAK_CALLS = 40
/**
 * The log joins older calls beyond so many: the state stays below 8 KB (60: +0.1 / +0.05, limit swings +3.4
 * / +0.95).
 */
export const MAX_LUMPS = 60

// ---- Probing

/**
 * Real windows are round: probes at such times meet the turn (none: −2.6 / −0.07, blocked for 5 s −12.6 /
 * −0.19).
 */
export const ROUND_WINDOWS = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600].map(
  (s) => s * 1000,
)
/** Delays a probe after the expected turn: a first call may be late (50: +0.0 / −0.00). */
export const AFTER_TURN_MS = 100
/**
 * Without a turn in reach, the pause is this multiple of the time closed (2.5: −0.2 / −0.01, blocked for 5
 * s −4.9 / +0.00).
 */
export const BACKOFF = 1.5
/**
 * A probe without a 429 after so many times of one was accepted (2: −0.1 / +0.03, blocked for 5 s −2.6 /
 * −0.05).
 */
export const SILENCE_ROUND_TRIPS = 4
/** The silence is no shorter than this: a 429 may be slow (75: −0.1 / +0.05, limit swings +1.0 / +0.74). */
export const MIN_SILENCE_MS = 150
/**
 * So many are a pattern: failures, 429s of a streak or at one number of calls in flight, and calls accepted at
 * that number, which disprove it (2: −0.7 / −0.04, no limit −8.1 / −0.09).
 */
export const EVIDENCE = 3

// ---- Not in the bench: failures, processes, bounds

/** Random pauses after failures begin below this, doubled up to a minute (AWS Architecture Blog, 2015). */
export const BACKOFF_MS = 1000
export const MAX_BACKOFF_MS = 60_000
/** A process, or a Redis, that is silent for so long is gone; no silence after a probe is longer. */
export const GONE_MS = 3000
/** A process steps a shared state at most so often for what can wait: each step costs two round trips. */
export const BATCH_MS = 20
/** What was learned outlives the run in Redis by a day. */
export const KEPT_MS = 86_400_000
/** A smaller change of pace is not recorded. */
export const WORTH_REPORTING = 0.1
/** Calls in flight by default; normally the pace keeps them below it. */
export const AUTO_CONCURRENCY = 64
/** Bottleneck lets in about 200 calls a second, one by one; above this rate it would be the limit. */
export const BOTTLENECK_PER_SECOND = 100
/** About 35 years: the end of a pause must be a date. `--give-up-after` says which waits are too long. */
export const MAX_PAUSE_MS = 2 ** 40
