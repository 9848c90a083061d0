// The table of pacing: every constant, and what it is worth. The effect is measured in virtual time with
// other values (in brackets): points of share lost in the class, or shape of `npm run bench -- pacing`, that
// loses most; 3 seeds, 1,000 calls, 5 % of them sent late. About 1 point is noise. "No effect" is what these
// limits show; the reason then stands in its place.

// ---- Search: calls a second, and calls

/** Is the pace until something is known (2: misleading waits −4.7, 60 per 6 s −25). */
export const START_PER_SECOND = 4
/** Is the share of a known or stated rate that is used (0.95: −3.9; at 1 a sliding window refuses 1.6 %). */
export const MARGIN = 0.99
/** The ramp, and a return to an earlier pace, double after so many calls (3: 60 per 6 s −7.5). */
export const DOUBLING_CALLS = 5
/** They need so many milliseconds, too: a 429 must have time to arrive (350: −4.7, 60 per 6 s −8.2). */
export const DOUBLING_MS = 700
/** The plateau begins so far below the limit, and flattens at it (0.015: a limit that doubles −3.6). */
export const DIP = 0.03
/** The plateau has the calls of so many memories (0.8: 0.5 points more 429s in 60 per 6 s). */
export const PLATEAU_MEMORIES = 1.6
/** It has the calls without a 429 if they are more, up to so many (60: 0.5 points more 429s in windows). */
export const MAX_PLATEAU_CALLS = 120
/** Fewer calls measure nothing, end no plateau, change no cap (7: 0.8 points more 429s beside others). */
export const MIN_CALLS = 15
/** After a long named wait, which the limit may not need, the plateau has the calls of so many waits. */
export const PLATEAU_WAITS = 8
/** The pace then returns to this share of the rate before the wait (0: misleading −15; 0.8: −12). */
export const RETURN = 0.7

// ---- Measuring the limit

/** A short measurement cuts to no less than this share (0.25: windows of seconds −3.4, concurrency −3.3). */
export const MIN_CUT = 0.4
/** A limit that was closed for longer was used up. */
export const HEAVY_MS = 2000
/** 429s with up to so many calls between them are one streak (20: 0.4 points more 429s in a bucket). */
export const STREAK_CALLS = 40
/** The log joins older calls beyond so many: the state stays below 8 KB (120: no effect). */
export const MAX_LUMPS = 240

// ---- Probing

/** Real windows are round: probes at such times meet the turn (without: a halved limit −12, windows −6.3). */
export const ROUND_WINDOWS = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600].map(
  (s) => s * 1000,
)
/** Delays a probe after the expected turn: a first call may be late (50: no effect on fast networks). */
export const AFTER_TURN_MS = 100
/** Without a turn in reach, the pause is this multiple of the time closed (2.5: 20 per 2 s −7.9). */
export const BACKOFF = 1.5
/** A probe without a 429 after so many times of one was accepted (2: misleading −18.8). */
export const SILENCE_ROUND_TRIPS = 4
/** The silence is no shorter than this: a 429 may be slow (75: no effect; 100: fails for 8 processes). */
export const MIN_SILENCE_MS = 150
/**
 * So many are a pattern: failures, 429s of a streak or at one number of calls in flight, and calls accepted
 * at that number, which disprove it (2: limit steps −2.4).
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
