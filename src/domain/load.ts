// Load tests and searches for the limit: their options, `load.json`, `limit.json`, and what is shown while they run.
import * as z from 'zod'
import { thresholdResultSchema } from './gate.ts'
import { type Metric, metricsOf } from './metric.ts'
import { limitFindingSchema } from './limit.ts'
import {
  coverageSchema,
  errorsSchema,
  latencySchema,
  stateSchema,
  summarySchema,
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
  /** How long the search watches for a second limit behind the one it has found, milliseconds from its start. */
  watchMs: z.number().positive(),
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

const ms = z.number().nullable()
const percentilesSchema = z.object({ p50: ms, p95: ms })

/** What fell due in the bin, whenever it ended; `calls`, `answers` and `inFlight` are of the time itself. */
const loadBinSchema = z.object({
  /** Threads due, and of them those sent and those dropped. */
  offered: z.int(),
  started: z.int(),
  dropped: z.int(),
  /** Turns due, the first ones of dropped threads among them; null in reports of before they were counted. */
  turnsDue: z.int().nullable().default(null),
  /** Turns answered in the bin's time, whenever they were due; null as above. */
  answers: z.int().nullable().default(null),
  /** Calls that ended in the bin's time. */
  calls: z.int(),
  /** Calls in flight at most. */
  inFlight: z.int(),
  answered: z.int(),
  /** Of those: with their context, and of these from the knowledge base. */
  withContext: z.int(),
  grounded: z.int(),
  /** Calls refused with 429, and turns that failed otherwise. */
  refused: z.int(),
  errors: z.int(),
  serviceMs: percentilesSchema,
  responseMs: percentilesSchema,
  contextSource: counts,
  status: counts,
  /** Turns by how they ended; those that were skipped are not among them. */
  outcomes: counts,
})
export type LoadBin = z.infer<typeof loadBinSchema>

/** Consecutive bins of `binMs` milliseconds, the first one beginning at `from`. */
const overTimeSchema = z.object({
  from: z.string(),
  binMs: z.number().positive(),
  bins: z.array(loadBinSchema),
})
export type OverTime = z.infer<typeof overTimeSchema>

const rate = z.number().nullable()

/** The figures that thresholds may name. */
export const loadFiguresSchema = z.object({
  /** Threads that were due, sent or not; `rate` a second of the time in which threads were to arrive. */
  offered: z.object({ threads: z.int(), rate }),
  /** Threads started and their rate; turns answered and calls ended, with theirs. */
  achieved: z.object({
    threads: z.int(),
    rate,
    turns: z.int(),
    turnsPerSecond: rate,
    calls: z.int(),
    callsPerSecond: rate,
  }),
  /** Threads that were due and were not sent, as too many calls were in flight; `rate` is their share of those due. */
  dropped: z.object({ threads: z.int(), rate }),
  /** Of answered turns: the call that was answered, sent to last byte. */
  serviceMs: latencySchema,
  /** Of answered turns: from the moment the call was due to the last byte, waiting and refused attempts included. */
  responseMs: latencySchema,
  /** Of turns that came to an end: what room under `--max-in-flight` took. */
  waitMs: latencySchema,
  /** Of every call: how late it left, beyond what it had to wait. */
  sendLagMs: latencySchema,
  /** Of calls that were refused with 429: sent to last byte. */
  refusedMs: latencySchema,
  /** Of calls that failed otherwise: sent to last byte, or to the failure. */
  failureMs: latencySchema,
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

/** A percentile curve: `ms` is what the share of all does not exceed. */
const curveSchema = z.array(z.object({ share: z.number(), ms: z.number() }))

/** HdrHistogram V2, compressed, base64: whole microseconds, three significant digits; those of several tests can be added. */
const histogramsSchema = z.object({
  unit: z.literal('microseconds'),
  serviceMs: z.string(),
  responseMs: z.string(),
  waitMs: z.string(),
  sendLagMs: z.string(),
  refusedMs: z.string(),
  failureMs: z.string(),
})

export const loadReportSchema = z.object({
  formatVersion: z.literal(1),
  /** What the 200s and 429s show of the organization's limit; null where fewer than three calls were refused. */
  limit: limitFindingSchema.nullable().default(null),
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
  refusals: z.object({ byCode: counts }).nullable().default(null),
  overTime: overTimeSchema.nullable(),
  thresholds: z.array(thresholdResultSchema),
  warnings: z.array(z.string()),
  curves: z.object({ serviceMs: curveSchema, responseMs: curveSchema }),
  histograms: histogramsSchema,
})
export type LoadReport = z.infer<typeof loadReportSchema>
export type Curve = z.infer<typeof curveSchema>

export const LOAD_METRICS: readonly Metric[] = metricsOf(
  loadFiguresSchema,
  {
    short: {
      // A run's latency is service time; so it is here.
      serviceMs: ['service', 'latency'],
      responseMs: 'response',
      waitMs: 'wait',
      sendLagMs: 'lag',
      refusedMs: 'refused',
      failureMs: 'failureLatency',
      'dropped.threads': 'dropped',
      'coverage.rate': ['coverage', 'grounded'],
      'errors.rate': 'errors',
      'pacing.rate429': 'rate429',
    },
    milliseconds: new Set(['serviceMs', 'responseMs', 'waitMs', 'sendLagMs', 'refusedMs', 'failureMs']),
    perSecond: new Set([
      'offered.rate',
      'achieved.rate',
      'achieved.turnsPerSecond',
      'achieved.callsPerSecond',
    ]),
  },
  false,
)

export interface LoadSnapshot {
  readonly elapsedMs: number
  readonly plannedMs: number
  /** Threads a second that the timetable has now; null after it, and where users loop. */
  readonly offeredRate: number | null
  /** Of the last seconds: threads started, calls ended; a second. */
  readonly threadRate: number | null
  readonly callRate: number | null
  readonly inFlight: number
  /** Response times of the last seconds, milliseconds. */
  readonly p50: number | null
  readonly p95: number | null
  /** Since the start: calls that ended, of them 429s; threads dropped; turns answered and failed. */
  readonly calls: number
  readonly refused: number
  readonly dropped: number
  readonly answered: number
  readonly errors: number
  /** Of the answers with their context. */
  readonly coverage: number | null
}

export const limitReportSchema = z.object({
  formatVersion: z.literal(1),
  run: summarySchema.shape.run,
  state: stateSchema,
  /**
   * `known`: closely enough to stop; `unmet`: nothing was refused within the budget; `unknown`: it ended before either, and
   * `finding` is what can be said by then.
   */
  verdict: z.enum(['known', 'unmet', 'unknown']),
  exitCode: z.int(),
  /** Why, in words. */
  reason: z.string(),
  search: findLimitOptionsSchema,
  calls: z.object({
    /** Calls begun. */
    sent: z.int(),
    letThrough: z.int(),
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

/** Of `refusals.byCode`, most frequent first. */
export const quotaCodesOf = (byCode: Readonly<Record<string, number>>): string[] =>
  Object.keys(byCode).filter((code) => /quota/i.test(code))
