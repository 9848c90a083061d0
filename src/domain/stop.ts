// Why a session ended.
import * as z from 'zod'

export const stopSchema = z.discriminatedUnion('kind', [
  /** Every turn has an outcome. */
  z.object({ kind: z.literal('done') }),
  /** The endpoint refused the key (401) or its scope (403). */
  z.object({ kind: z.literal('keyRefused'), httpStatus: z.int(), message: z.string() }),
  /** `--max-calls` is used up. `last`: the last attempt, if there were only refusals or failures since the last answer. */
  z.object({ kind: z.literal('budget'), maxCalls: z.int(), last: z.string().optional() }),
  /** A search for the limit used up its `--duration`. */
  z.object({ kind: z.literal('timeUp'), maxMs: z.number() }),
  /**
   * Only refusals, or only failures, for the time of `--give-up-after`, before the first answer for a minute; or answers in a
   * row that HTTP cannot read.
   */
  z.object({
    kind: z.literal('gaveUp'),
    /** `machine`: this machine could not open connections. */
    over: z.enum(['refusals', 'failures', 'machine', 'unreadable']),
    last: z.string(),
    afterMs: z.number(),
    /** The `error.code` of every refusal, if it is the same. */
    code: z.string().optional(),
    /** No call of the session was answered. */
    isFirst: z.boolean().optional(),
    /** The endpoint's last Retry-After or reset, if it was longer than the time left. */
    namedMs: z.number().optional(),
  }),
  /** The connection to Redis, which shares the limit, was lost. */
  z.object({ kind: z.literal('limiterLost'), reason: z.string() }),
  /** The journal could not be written. */
  z.object({ kind: z.literal('storage'), message: z.string() }),
  /** `caller`: the program that uses the library. */
  z.object({ kind: z.literal('interrupted'), signal: z.enum(['SIGINT', 'SIGTERM', 'SIGHUP', 'caller']) }),
  /** A bug of the harness. */
  z.object({ kind: z.literal('fault'), message: z.string() }),
])
export type Stop = z.infer<typeof stopSchema>
