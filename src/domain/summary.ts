// The figures of a run: what thresholds and dashboards read from `summary.json`.
import { z } from 'zod'
import { inferredLimitSchema } from './limit.ts'
import { OUTCOMES } from './outcome.ts'
import { usageSchema } from './usage.ts'

/** A share with its count; `null` where there is no denominator. */
const rate = z.number().nullable()
const counts = z.record(z.string(), z.int())

/** Milliseconds; `null` where nothing was measured. Percentiles by nearest rank. */
export const latencySchema = z.object({
  p50: rate,
  p90: rate,
  p95: rate,
  p99: rate,
  max: rate,
  mean: rate,
  count: z.int(),
})
export type Latency = z.infer<typeof latencySchema>

/** Grounded ÷ answered turns with their context; `low` and `high` bound the 95 % Wilson interval. */
export const coverageSchema = z.object({
  rate,
  grounded: z.int(),
  answered: z.int(),
  low: rate,
  high: rate,
})

export const turnCountsSchema = z.object({
  total: z.int(),
  ...(Object.fromEntries(OUTCOMES.map((outcome) => [outcome, z.int()])) as Record<
    (typeof OUTCOMES)[number],
    z.ZodInt
  >),
  contextLost: z.int(),
  notAsked: z.int(),
})
export type TurnCounts = z.infer<typeof turnCountsSchema>

/** Turns that ended in an error ÷ turns asked (those with an outcome other than `skipped`). */
export const errorsSchema = z.object({
  rate,
  errors: z.int(),
  asked: z.int(),
  byOutcome: counts,
  byHttpStatus: counts,
  byCode: counts,
})

export const figuresSchema = z.object({
  turns: turnCountsSchema,
  contextSource: counts,
  status: counts,
  coverage: coverageSchema,
  errors: errorsSchema,
  latencyMs: latencySchema,
  failureLatencyMs: latencySchema,
  waitMs: latencySchema,
  quota: usageSchema,
})
export type Figures = z.infer<typeof figuresSchema>

export const stateSchema = z.enum(['complete', 'incomplete', 'interrupted'])
export type RunState = z.infer<typeof stateSchema>

/** The pace over time, calls a second; `null` for no limit. */
const paceChangeSchema = z.object({
  at: z.string(),
  pace: rate,
  pausedUntil: z.string().optional(),
  cause: z.string(),
})

export const summarySchema = figuresSchema.extend({
  formatVersion: z.literal(1),
  run: z.object({
    id: z.string(),
    harnessVersion: z.string(),
    target: z.string(),
    organization: z.string(),
    origin: z.string(),
    datasets: z.array(z.object({ path: z.string(), digest: z.string(), turns: z.int() })),
    startedAt: z.string(),
    endedAt: z.string().nullable(),
    sittings: z.int(),
    groundedSources: z.array(z.string()),
    successStatus: z.array(z.string()),
    countRejected: z.boolean(),
  }),
  state: stateSchema,
  /** Why the run stopped, in words. */
  reason: z.string(),
  verdict: z.enum(['passed', 'failed', 'incomplete']),
  exitCode: z.int(),
  pacing: z.object({
    rate429: rate,
    rateLimited: z.int(),
    /** What the run learned of the limit; null where it never met one. */
    limit: inferredLimitSchema.nullable(),
    changes: z.array(paceChangeSchema),
    /** How many more changes the journal holds than are listed. */
    changesLeftOut: z.int(),
  }),
  tags: z.record(z.string(), figuresSchema),
  warnings: z.array(z.string()),
})
export type Summary = z.infer<typeof summarySchema>
