// `limit.json`: what a search for the organization's limit has found, and what it took.
import * as z from 'zod'
import { limitFindingSchema } from '../limit-finding.ts'
import { stateSchema, summarySchema } from '../summary.ts'
import { findLimitOptionsSchema } from './find-limit.ts'

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
