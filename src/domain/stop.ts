// Why a sitting of a run ended.
import * as z from 'zod'

export const stopSchema = z.discriminatedUnion('kind', [
  /** Every turn has its outcome. */
  z.object({ kind: z.literal('done') }),
  /** The endpoint refused the key (401) or its scope (403). */
  z.object({ kind: z.literal('keyRefused'), httpStatus: z.int(), message: z.string() }),
  /** `--max-calls` is used up. */
  z.object({
    kind: z.literal('budget'),
    maxCalls: z.int(),
    /** Of a joined run: it is what this part and the `others` had together, and other parts had calls left. */
    part: z.object({ index: z.int(), of: z.int(), others: z.array(z.int()).optional() }).optional(),
  }),
  /** Of a run that 0.1 joined: parts of it were not there. */
  z.object({ kind: z.literal('partsMissing'), parts: z.array(z.int()), of: z.int() }),
  /** A search for the limit has used up its time. */
  z.object({ kind: z.literal('timeUp'), maxMs: z.number() }),
  /** Nothing but refusals or failures for as long as `--give-up-after` allows. */
  z.object({
    kind: z.literal('gaveUp'),
    over: z.enum(['refusals', 'failures']),
    last: z.string(),
    afterMs: z.number(),
    /** The wait that the endpoint named last, where that was longer than what was left. */
    namedMs: z.number().optional(),
  }),
  /** Recorded by 0.1: refusals that persisted, with another `error.code` than that of a rate limit which was overcome. */
  z.object({
    kind: z.literal('quotaSpent'),
    code: z.string(),
    rateLimitCodes: z.array(z.string()).readonly(),
    last: z.string(),
    afterMs: z.number(),
  }),
  /** Redis was lost, and with it who else uses the limit. */
  z.object({ kind: z.literal('limiterLost'), reason: z.string() }),
  /** A load test of version 0.1 whose `--abort-on` was met. */
  z.object({ kind: z.literal('aborted'), expression: z.string(), reason: z.string() }),
  /** The disk no longer takes the journal. */
  z.object({ kind: z.literal('storage'), code: z.string().optional(), message: z.string() }),
  /** `caller`: the program that runs it as a library. */
  z.object({ kind: z.literal('interrupted'), signal: z.enum(['SIGINT', 'SIGTERM', 'SIGHUP', 'caller']) }),
  /** A fault of the harness itself: a bug. */
  z.object({ kind: z.literal('fault'), message: z.string() }),
])
export type Stop = z.infer<typeof stopSchema>
