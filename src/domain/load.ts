// Load tests and searches for the limit: their options, `load.json`, `limit.json`, and what is shown while they run.
import * as z from 'zod'
import { limitFindingSchema } from './limit.ts'
import { messageSchema } from './messages.ts'
import {
  coverageSchema,
  errorsSchema,
  latencySchema,
  stateSchema,
  summarySchema,
  thresholdResultSchema,
  turnCountsSchema,
} from './summary.ts'

const counts = z.record(z.string(), z.int())

export const findLimitOptionsSchema = z.object({
  /** Calls at most, refused ones included. */
  budget: z.int().positive(),
  /** Milliseconds after which nothing more is sent. */
  maxMs: z.number().positive(),
  maxInFlight: z.int().positive(),
  /** Calls a second, not even in a burst more. */
  maxPerSecond: z.number().positive(),
})
export type FindLimitSettings = z.infer<typeof findLimitOptionsSchema>

/** The rate of arrivals, threads a second, goes from one to the other in a straight line, as k6's ramping stages do. */
const stageSchema = z.object({
  durationMs: z.number().positive(),
  from: z.number().nonnegative(),
  to: z.number().nonnegative(),
})
export type Stage = z.infer<typeof stageSchema>

/** Between an answer and the thread's next turn; milliseconds. */
const thinkTimeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('constant'), ms: z.number().nonnegative() }),
  z.object({ kind: z.literal('uniform'), fromMs: z.number().nonnegative(), toMs: z.number().nonnegative() }),
  z.object({ kind: z.literal('lognormal'), medianMs: z.number().positive(), p95Ms: z.number().positive() }),
])
export type ThinkTime = z.infer<typeof thinkTimeSchema>

/** `open`: threads arrive by a timetable, whatever the answers do. `closed`: so many users, each in a loop. */
const loadModelSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('open'),
    stages: z.array(stageSchema).min(1),
    arrivals: z.enum(['constant', 'poisson']),
  }),
  z.object({ kind: z.literal('closed'), users: z.int().positive(), durationMs: z.number().positive() }),
])
export type LoadModel = z.infer<typeof loadModelSchema>

export const loadOptionsSchema = z.object({
  model: loadModelSchema,
  thinkTime: thinkTimeSchema,
  /** Decides arrivals and thinking; one seed, one timetable. */
  seed: z.int(),
  /** Calls in flight at most: a thread that is due without room is dropped; a continuing turn waits and goes first. */
  maxInFlight: z.int().positive(),
  /** How long threads may go on after the last arrival. */
  gracefulStopMs: z.number().nonnegative(),
})
export type LoadOptions = z.infer<typeof loadOptionsSchema>

/** Milliseconds in which threads arrive, or users loop. */
export const plannedMs = (model: LoadModel): number =>
  model.kind === 'closed'
    ? model.durationMs
    : model.stages.reduce((sum, { durationMs }) => sum + durationMs, 0)

/** Everything counts in the bin in which it happened: a thread as it was due, a call and its turn as they ended. */
const loadBinSchema = z.object({
  /** Threads that were due: sent, and dropped. */
  started: z.int(),
  dropped: z.int(),
  /** Calls that ended; of those refused with 429. */
  calls: z.int(),
  refused: z.int(),
  /** Turns answered, and turns that failed otherwise than by a 429. */
  answered: z.int(),
  errors: z.int(),
  /** Calls in flight at most. */
  inFlight: z.int(),
  /** Of the answers; to two significant digits. */
  responseMs: z.object({ p50: z.number().nullable(), p95: z.number().nullable() }),
  contextSource: counts,
})
export type LoadBin = z.infer<typeof loadBinSchema>

/** Consecutive bins of `binMs` milliseconds, the first one beginning at `from`. */
const overTimeSchema = z.object({
  from: z.string(),
  binMs: z.number().positive(),
  bins: z.array(loadBinSchema),
})
export type OverTime = z.infer<typeof overTimeSchema>

/** A second; null where there was no time to measure by. */
const rate = z.number().nullable()

/** The figures that thresholds may name. */
export const loadFiguresSchema = z.object({
  /** Threads that were due, sent or not; their rate over the time in which threads were to arrive. */
  offered: z.object({ threads: z.int(), rate }),
  /** Threads started, and calls that ended. */
  achieved: z.object({ threads: z.int(), rate, calls: z.int(), callsPerSecond: rate }),
  /** Threads that were due and were not sent, as too many calls were in flight; `rate` is their share of those due. */
  dropped: z.object({ threads: z.int(), rate }),
  /** Of answered turns: the call that was answered, sent to last byte. */
  serviceMs: latencySchema,
  /** Of answered turns: from the moment the call was due to the last byte. */
  responseMs: latencySchema,
  /** Of turns that came to an end: what room under `--max-in-flight` took. */
  waitMs: latencySchema,
  /** Of every call: how late it left, beyond what it had to wait. */
  sendLagMs: latencySchema,
  turns: turnCountsSchema,
  contextSource: counts,
  status: counts,
  coverage: coverageSchema,
  /** Turns that failed, without those that the rate limit refused (`turns.rate_limited`, `pacing`): under load a 429 is an answer. */
  errors: errorsSchema,
  quota: summarySchema.shape.quota,
  /** 429s ÷ calls that ended. */
  pacing: z.object({ rate429: rate, rateLimited: z.int() }),
})
export type LoadFigures = z.infer<typeof loadFiguresSchema>

/** HdrHistogram V2, compressed, base64: whole microseconds, three significant digits; those of several tests can be added. */
const histogramsSchema = z.object({
  unit: z.literal('microseconds'),
  serviceMs: z.string(),
  responseMs: z.string(),
  waitMs: z.string(),
  sendLagMs: z.string(),
})

export const loadReportSchema = z.object({
  formatVersion: z.literal(2),
  run: summarySchema.shape.run,
  state: stateSchema,
  /** `done`: it ended, no threshold was given, and nothing failed. */
  verdict: z.enum(['done', 'passed', 'failed', 'incomplete']),
  exitCode: z.int(),
  /** Why, in words. */
  reason: z.string(),
  load: loadOptionsSchema,
  ...loadFiguresSchema.shape,
  /** 429s by `error.code`; `none` without one. */
  refusals: z.object({ byCode: counts }),
  /** What the 200s and 429s show of the organization's limit; null where fewer than three calls were refused. */
  limit: limitFindingSchema.nullable(),
  /** Null where no thread was due. */
  overTime: overTimeSchema.nullable(),
  thresholds: z.array(thresholdResultSchema),
  warnings: z.array(messageSchema),
  histograms: histogramsSchema,
})
export type LoadReport = z.infer<typeof loadReportSchema>

export const limitReportSchema = z.object({
  formatVersion: z.literal(1),
  run: summarySchema.shape.run,
  state: stateSchema,
  /**
   * `known`: closely enough to stop; `unmet`: no call was refused; `unknown`: the search ended before either, and `finding` is what
   * can be said by then.
   */
  verdict: z.enum(['known', 'unmet', 'unknown']),
  exitCode: z.int(),
  /** Why, in words. */
  reason: z.string(),
  search: findLimitOptionsSchema,
  calls: z.object({
    /** Calls begun. */
    sent: z.int(),
    /** 2xx. */
    accepted: z.int(),
    /** 429. */
    refused: z.int(),
    /** Ended in errors that say nothing of the limit, or have no result on record. */
    lost: z.int(),
    /** The latest that a call left after it was due, milliseconds; null where none was sent. */
    latestMs: z.number().nullable(),
  }),
  quota: summarySchema.shape.quota,
  /** From the first call to the last record, milliseconds; null where there was none. */
  tookMs: z.number().nullable(),
  finding: limitFindingSchema,
  warnings: z.array(z.string()),
})
export type LimitReport = z.infer<typeof limitReportSchema>
