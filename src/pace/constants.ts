// The table of pacing: each constant, and what it is worth. With another value, the one before the colon, the
// mean of the classes changes by so many points of share / of 429s, and one class by those at the end. From
// `npm run bench -- pacing --ablate --seeds 4101-4103`: they were not tuned on; 0.3 points are noise.

// ---- Search: calls a second, and calls

/** Is the pace until something is known (2: −1.2 / −0.04, no limit −6.2). */
export const START_PER_SECOND = 4
/** Is the share of a known or stated rate that is used (1: +0.0 / +0.00, RateLimit-Policy +1.0). */
export const MARGIN = 0.99
/** The ramp, and a return to an earlier pace, double after so many calls (3: +0.1 / +0.13, swings +1.9). */
export const DOUBLING_CALLS = 5
/**
 * They need so many milliseconds, too: a 429 must have time to arrive (350: −0.2 / +0.22, whole seconds
 * −3.4).
 */
export const DOUBLING_MS = 700
/**
 * The plateau begins so far below the limit, and flattens at it (0.015: −0.1 / −0.09, swings −2.5; 0.06: −0.0
 * / +0.12, swings +3.9).
 */
export const DIP = 0.03
/** The plateau has the calls of so many memories (0.8: −0.1 / +0.09, blocked for 5 s −2.4). */
export const PLATEAU_MEMORIES = 1.6
/**
 * It has the calls without a 429 if they are more, up to so many (60: −0.0 / +0.24, a step +4.0; 240: −0.0 /
 * −0.05, blocked for 5 s +3.2).
 */
export const MAX_PLATEAU_CALLS = 120
/**
 * Fewer calls measure nothing, end no plateau, change no cap (7: +1.5 / +0.83, swings +31.8; 30: −1.1 /
 * −0.16, leaky queue 4/s −4.5).
 */
export const MIN_CALLS = 15
/**
 * After a named wait, which the limit may not need, it has the calls of so many waits (0: −0.9 / +0.04,
 * Retry-After 60 −15.0; 4: −0.1 / +0.01, Retry-After 60 −2.1).
 */
export const PLATEAU_WAITS = 8
/**
 * The pace then returns to this share of the rate before the wait (0: −2.8 / −0.01, Retry-After 60 −47.9;
 * 0.7: −0.3 / −0.04, blocked for 5 s −4.2).
 */
export const RETURN = 0.8

// ---- Measuring the limit

/** A short measurement cuts to no less than this share (0.2: −0.3 / +0.06, GCRA, burst 1 −6.9). */
export const MIN_CUT = 0.4
/** A limit that was closed for longer was used up (never: −0.8 / +0.08, Retry-After 60 −18.9). */
export const HEAVY_MS = 2000
/**
 * 429s with up to so many calls between them are one streak (0: +0.7 / +1.25, swings +24.5; 20: −0.1 / +0.07,
 * impolite neighbours −0.3).
 */
export const STREAK_CALLS = 40
/** The log joins older calls beyond so many: the state stays below 8 KB (240: −0.2 / −0.09, swings −3.6). */
export const MAX_LUMPS = 60

// ---- Probing

/** Real windows are round: probes at such times meet the turn (none: −1.6 / −0.05, a step −10.0). */
export const ROUND_WINDOWS = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600].map(
  (s) => s * 1000,
)
/**
 * Without a turn in reach, the pause is this multiple of the time closed (1.75: a window of 6 s that turns
 * 2 s after the first call −9).
 */
export const BACKOFF = 2
/** A probe without a 429 after so many times of one was accepted (2: +0.3 / +0.16, swings +3.6). */
export const SILENCE_ROUND_TRIPS = 4
/**
 * The silence is no shorter, since 429s may be slow, and a probe after a turn as late (75: +0.2 / +0.14,
 * swings +2.4).
 */
export const MIN_SILENCE_MS = 100
/**
 * So many are a pattern: failures, refused probes, 429s at one number of calls in flight (2: −0.6 / +0.05, no
 * limit −6.7).
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
/** Redis is lost after so long without an answer, or with refusals that pass: failovers take seconds. */
export const LOST_MS = 15_000
/** It is asked again after so long. */
export const RETRY_MS = 100
/** What was learned outlives the run in Redis by a day. */
export const KEPT_MS = 86_400_000
/** A smaller change of pace is not recorded. */
export const WORTH_REPORTING = 0.1
/** Calls in flight by default; normally the pace keeps them below it. */
export const AUTO_CONCURRENCY = 64
/** About 35 years: the end of a pause must be a date. `--give-up-after` says which waits are too long. */
export const MAX_PAUSE_MS = 2 ** 40
