// `load.json`: what a load test offered, and what the endpoint did with it.
import * as z from 'zod'
import { limitFindingSchema } from '../limit-finding.ts'
import { thresholdResultSchema } from '../gate.ts'
import {
  coverageSchema,
  errorsSchema,
  latencySchema,
  stateSchema,
  summarySchema,
  turnCountsSchema,
} from '../summary.ts'
import { loadOptionsSchema } from './load-options.ts'
import { overTimeSchema } from './over-time.ts'

const rate = z.number().nullable()
const counts = z.record(z.string(), z.int())

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
