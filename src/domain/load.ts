// Load tests and searches for the limit: their options, `load.json` and `limit.json`.
import * as z from 'zod'
import { limitFindingSchema, secondRuleSchema } from './limit.ts'
import { counts, figuresSchema, ints, latencySchema, rate, summarySchema } from './summary.ts'

export const findLimitOptionsSchema = z.object({
  budget: z.int().positive(),
  maxMs: z.number().positive(),
  maxInFlight: z.int().positive(),
  /** The unit is calls a second, bursts included. */
  maxPerSecond: z.number().positive(),
})
export type FindLimitSettings = z.infer<typeof findLimitOptionsSchema>

/** The arrival rate, threads a second, changes linearly from `from` to `to`, as in k6's ramping stages. */
const stageSchema = z.object({
  durationMs: z.number().positive(),
  from: z.number().nonnegative(),
  to: z.number().nonnegative(),
})
export type Stage = z.infer<typeof stageSchema>

const thinkTimeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('constant'), ms: z.number().nonnegative() }),
  z.object({ kind: z.literal('uniform'), fromMs: z.number().nonnegative(), toMs: z.number().nonnegative() }),
  z.object({ kind: z.literal('lognormal'), medianMs: z.number().positive(), p95Ms: z.number().positive() }),
])
export type ThinkTime = z.infer<typeof thinkTimeSchema>

/** Threads of an `open` model arrive by a timetable, those of a `closed` one are users, each in a loop. */
const loadModelSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open'), stages: z.array(stageSchema).min(1) }),
  z.object({ kind: z.literal('closed'), users: z.int().positive(), durationMs: z.number().positive() }),
])
export type LoadModel = z.infer<typeof loadModelSchema>

export const loadOptionsSchema = z.object({
  model: loadModelSchema,
  thinkTime: thinkTimeSchema,
  seed: z.int(),
  /** Beyond so many calls in flight a new thread is dropped; a later turn waits, and is sent first. */
  maxInFlight: z.int().positive(),
  gracefulStopMs: z.number().nonnegative(),
})
export type LoadSettings = z.infer<typeof loadOptionsSchema>

export const loadFiguresSchema = z.object({
  /** Threads were due, sent or not; `rate` is a second, as planned. */
  offered: z.object({ threads: z.int(), rate }),
  achieved: z.object({ threads: z.int(), rate, calls: z.int(), callsPerSecond: rate }),
  /** Threads were due, but too many calls were in flight; `rate` is their share of those due. */
  dropped: z.object({ threads: z.int(), rate }),
  /** The answered call is timed from sent to last byte. */
  serviceMs: latencySchema,
  /** The time is due to last byte; a turn without an answer in time has due to `--timeout`. */
  responseMs: latencySchema,
  /** Turns with an outcome waited so long for room under `--max-in-flight`. */
  waitMs: latencySchema,
  /** The lag is how late each call was sent, without `waitMs`. */
  sendLagMs: latencySchema,
  ...figuresSchema.pick({ turns: true, contextSource: true, status: true }).shape,
  coverage: figuresSchema.shape.coverage.omit({ weighted: true }),
  /** `errors` leave out turns that a 429 ended: under load, a 429 is a result. */
  ...figuresSchema.pick({ errors: true, quota: true }).shape,
  /** `rate429` is 429s ÷ calls that ended. */
  pacing: summarySchema.shape.pacing.pick({ rate429: true, rateLimited: true }),
})
export type LoadFigures = z.infer<typeof loadFiguresSchema>

export const loadReportSchema = z.object({
  formatVersion: z.literal(2),
  ...summarySchema.pick({ run: true, state: true, exitCode: true, reason: true }).shape,
  ...summarySchema.pick({ thresholds: true, gates: true, warnings: true }).shape,
  /** It is `done` if no threshold was given and nothing failed. */
  verdict: z.enum(['done', 'passed', 'failed', 'incomplete']),
  /** `reason` names what the endpoint was not offered or did not answer. */
  shortfalls: summarySchema.shape.warnings,
  load: loadOptionsSchema,
  ...loadFiguresSchema.shape,
  /** `policy` is what the endpoint announces, in words; absent if it announces none. */
  pacing: summarySchema.shape.pacing.pick({ rate429: true, rateLimited: true, policy: true, accepted: true }),
  /** Consecutive bins of `binMs` milliseconds begin at `from`; null if no thread was due. */
  overTime: z
    .object({
      from: z.string(),
      binMs: z.number().positive(),
      /** Threads count in the bin in which they were due, calls and turns in the bin in which they ended. */
      bins: z.array(
        ints({
          started: 'Threads',
          dropped: 'Threads',
          calls: 'Calls',
          refused: 'Calls',
          answered: 'Turns',
          errors: 'Turns without those that a 429 ended',
          inFlight: 'Calls',
        }).extend({
          /** Turns that were answered or timed out count; to two significant digits. */
          responseMs: z.object({ p50: rate, p95: rate }),
          contextSource: counts,
        }),
      ),
    })
    .nullable(),
  /** The format is HdrHistogram V2, compressed, base64, three significant digits. Several tests add up. */
  histograms: z.object({
    unit: z.literal('microseconds'),
    serviceMs: z.string(),
    responseMs: z.string(),
    waitMs: z.string(),
    sendLagMs: z.string(),
  }),
})
export type LoadReport = z.infer<typeof loadReportSchema>
export type OverTime = NonNullable<LoadReport['overTime']>

export const limitReportSchema = z.object({
  formatVersion: z.literal(2),
  ...summarySchema.pick({ run: true, state: true, exitCode: true, reason: true, quota: true }).shape,
  /**
   * The limit is `known` accurately enough to stop; `unmet` if no call was refused; `unknown` if the search
   * ended before that, and `finding` is provisional.
   */
  verdict: z.enum(['known', 'unmet', 'unknown']),
  search: findLimitOptionsSchema,
  calls: ints({
    sent: 'All',
    accepted: 'Not answered with 429',
    refused: 'Answered with 429',
    lost: 'Ended in errors that do not show the limit, or have no recorded result',
  }),
  /** Milliseconds run from the first call to the last record; null without calls. */
  tookMs: rate,
  finding: limitFindingSchema,
  secondRule: secondRuleSchema,
  /** It allows more calls a second than `finding`, for a shorter time; null without one. */
  faster: limitFindingSchema.nullable(),
  warnings: summarySchema.shape.warnings,
})
export type LimitReport = z.infer<typeof limitReportSchema>
