// What a history reads of a run: the part of its summary that has a place over time. Older and newer summaries may hold less or more.
import * as z from 'zod'
import { quotaSchema } from '../quota.ts'
import { summarySchema } from '../summary.ts'
import { usageRangeSchema, usageSchema } from '../usage.ts'

const { run, turns, state, verdict, coverage, errors, latencyMs, expectations } = summarySchema.shape

/** Whoever wrote the file: a chart has no place for a share that is none. */
const share = z.number().min(0).max(1)
const maybeShare = share.nullable()

export const recordedSummarySchema = z.object({
  formatVersion: z.literal(1),
  run: run.pick({ groundedSources: true }).extend({ quota: quotaSchema.nullable().default(null) }),
  state,
  verdict,
  exitCode: z.int(),
  turns: turns.pick({ total: true, answered: true }),
  coverage: coverage.pick({ questions: true, effective: true }).extend({
    rate: maybeShare,
    low: maybeShare,
    high: maybeShare,
    cluster: z.object({ low: share, high: share }).nullable(),
  }),
  expectations: expectations.pick({ passed: true, failed: true }).extend({ rate: maybeShare }),
  errors: errors.pick({ errors: true, asked: true }).extend({ rate: maybeShare }),
  latencyMs: latencyMs.pick({ p50: true, p95: true }),
  quota: usageSchema.pick({ attempts: true, min: true, max: true }),
  pacing: z.object({ rate429: maybeShare }),
  // Of lists the counts alone are kept: of many runs they would fill the memory.
  flaky: z.array(z.unknown()).transform(({ length }) => length),
  gaps: z.array(z.object({ questions: z.array(z.unknown()) })).transform((all) => ({
    topics: all.length,
    questions: all.reduce((sum, { questions }) => sum + questions.length, 0),
  })),
})
export type RecordedSummary = z.infer<typeof recordedSummarySchema>

/** What a load test's report, or that of a search for the limit, says of the quota. */
export const recordedUsageSchema = z.object({
  formatVersion: z.literal(1),
  run: z.object({ quota: quotaSchema.nullable().default(null) }),
  quota: usageRangeSchema,
})
export type RecordedUsage = z.infer<typeof recordedUsageSchema>
