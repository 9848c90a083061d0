// What the calls of a run, a load test or a search show of the organization's limit.
import * as z from 'zod'
import type { AttemptResult } from './attempt.ts'

/**
 * A call as the limit saw it, milliseconds since the Unix epoch. `accepted`: a 2xx; `refused`: a 429; `unknown`: a 5xx, a timeout
 * or another error that the limit may have counted as a call.
 */
export interface LimitCall {
  readonly sentAt: number
  readonly endedAt: number
  readonly verdict: 'accepted' | 'refused' | 'unknown'
}

/** Undefined for a call that certainly never reached the endpoint. */
export function verdictOf(result: AttemptResult): LimitCall['verdict'] | undefined {
  const status = 'httpStatus' in result ? (result.httpStatus ?? 0) : 0
  if (status === 429) return 'refused'
  if (status >= 200 && status < 300) return 'accepted'
  return 'sent' in result && !result.sent ? undefined : 'unknown'
}

/**
 * `fixed-window`: counts anew at intervals; `sliding-window`: never more than so many in any such time; `token-bucket`: so many
 * at once, then a steady rate (GCRA is the same, seen from outside); `concurrency`: so many calls in flight.
 */
export const LIMIT_KINDS = ['fixed-window', 'sliding-window', 'token-bucket', 'concurrency'] as const
export type LimitKind = (typeof LIMIT_KINDS)[number]

const evidence = {
  /** Calls that were accepted or refused. */
  calls: z.int(),
  refused: z.int(),
  /** How often the limit was met: refusals in a row count once. */
  timesMet: z.int(),
  /** Accepted calls a second, from the first to the last; null for fewer than two. */
  acceptedPerSecond: z.number().nullable(),
}

const fitted = {
  ...evidence,
  /** Share of the calls whose verdict a replay of this limit explains. */
  explained: z.number(),
  /** `high`: rate and window are known within 5 %, and no other kind explains the calls as well. */
  confidence: z.enum(['high', 'medium']),
}

/** Calls a second that the limit accepts in the long run. */
const ratePerSecond = z.number()
const windowMs = z.number()
/** Calls in a window. */
const limit = z.int()

export const limitFindingSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('fixed-window'),
    /** Windows turn at full multiples of the clock. */
    aligned: z.boolean(),
    limit,
    windowMs,
    ratePerSecond,
    ...fitted,
  }),
  z.object({ kind: z.literal('sliding-window'), limit, windowMs, ratePerSecond, ...fitted }),
  z.object({
    kind: z.literal('token-bucket'),
    /** Calls accepted at once after a rest. */
    burst: z.int(),
    ratePerSecond,
    ...fitted,
  }),
  z.object({ kind: z.literal('concurrency'), inFlight: z.int(), ...fitted }),
  /** No call was refused. */
  z.object({ kind: z.literal('none-met'), ...evidence }),
  z.object({
    kind: z.literal('unknown'),
    /**
     * `hardly-met`: too few refusals to tell; `unexplained`: no kind explains them; `unclear`: kinds or rates that differ
     * explain them equally well.
     */
    code: z.enum(['hardly-met', 'unexplained', 'unclear']),
    ...evidence,
  }),
])
export type LimitFinding = z.infer<typeof limitFindingSchema>
