// The table of pacing: each constant, and what it is worth. With another value, the one before the colon, the
// mean of the classes changes by so many points of share / of 429s, and one class by those at the end. By
// `npm run bench -- pacing --ablate --seeds 19001-19032`, which nobody tuned on. The 95 % interval of the
// mean change, paired over the seeds, is ± 0.0 to 0.2 points of share; 0.5 for the silence.

// ---- Search: calls a second, and calls

/** Is the pace until something is known (2: −0.6 / +0.03, windows −2.1). */
export const START_PER_SECOND = 4
/** Is the share of a known or stated rate that is used (1: +0.05 / +0.00, RateLimit-Policy +1.0). */
export const MARGIN = 0.99
/** The ramp doubles after so many ms: a 429 must have time to arrive (350: −0.2 / +0.18, 1 s −3.5). */
export const DOUBLING_MS = 700
/** The plateau begins so far below the limit, and flattens at it (0.06: +0.1 / +0.09, blocked −2.4). */
export const DIP = 0.03
/** The plateau has the calls of so many memories (0.8: −1.1 / +0.07, blocked for 5 s −24.5). */
export const PLATEAU_MEMORIES = 1.6
/** It has the calls without a 429 if they are more, up to so many (60: +0.2 / +0.11, 100/20s +0 / +0.47). */
export const MAX_PLATEAU_CALLS = 120
/**
 * Fewer calls end no plateau and change no cap, and so many are the latest (30: −1.1 / −0.24, swings −6.8).
 */
export const MIN_CALLS = 15
/** After a long wait it has the calls of so many, if more (0: −0.9 / +0.06, Retry-After 60 −15.8). */
export const PLATEAU_WAITS = 8
/** The pace is then this share of the rate before the wait (0.9: +0.2 / +0.20, GCRA +1.7 / +0.74). */
export const RETURN = 0.8
/** So many calls of a ramp say nothing of the rate: a burst (6: −0.3 / −0.00, Retry-After 60 −7.2). */
export const BURST_CALLS = 5

// ---- Measuring the limit

/** A short measurement cuts to no less than this share (0.8: −1.2 / +0.90, leaky queue −26.7). */
export const MIN_CUT = 0.4
/** A limit that was closed for longer was used up, at a slow pace, too (never: +0.0 / +0.05). */
export const HEAVY_MS = 2000
/** 429s with up to so many calls between them are one streak (0: +0.6 / +1.14, leaky queue −7.7). */
export const STREAK_CALLS = 40
/** The log joins older calls beyond so many: the state stays below 8 KB (30: −0.0 / +0.09, windows −2.0). */
export const MAX_LUMPS = 60

// ---- Probing

/** Real windows are round: probes at such times meet the turn (1, 2, 4, 8..: −1.3 / +0.01, blocked −18.7). */
export const ROUND_WINDOWS = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600].map(
  (s) => s * 1000,
)
/** So many times the time closed is the earliest end of a block (2.5: −0.9 / −0.04, blocked −16.0). */
export const BACKOFF = 1.9
/** A probe without a 429 after so many times of one was accepted (2: −1.2 / +0.02, misleading −18.9). */
export const SILENCE_ROUND_TRIPS = 4
/** The silence is no shorter, since 429s may be slow, and a probe after a turn as late (75: +0.0 / −0.00). */
export const MIN_SILENCE_MS = 100
/** So many are a pattern: failures, refused probes, 429s at one count (2: −0.4 / +0.09, no limit −6.8). */
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
/** The key in Redis outlives the last step by a day. */
export const KEPT_MS = 86_400_000
/** A smaller change of pace is not recorded. */
export const WORTH_REPORTING = 0.1
/** Calls in flight by default; normally the pace keeps them below it. */
export const AUTO_CONCURRENCY = 64
/** Bottleneck lets in about 200 calls a second, one by one; above this rate it would be the limit. */
export const BOTTLENECK_PER_SECOND = 100
/** About 35 years: the end of a pause must be a date. `--give-up-after` says which waits are too long. */
export const MAX_PAUSE_MS = 2 ** 40
