// What the calls of a run or a load test show of the organization's limit, and how sure that is.
import * as z from 'zod'
import type { AttemptResult } from './attempt.ts'

/** Where the truth lies, as far as the calls tell. `high` is null where they set no upper bound. */
export const estimateSchema = z.object({ value: z.number(), low: z.number(), high: z.number().nullable() })
export type Estimate = z.infer<typeof estimateSchema>

/**
 * `fixed-window`: counts anew at intervals; `sliding-window`: never more than so many in any such time;
 * `token-bucket`: a burst, then a steady trickle (GCRA is the same, seen from outside); `concurrency`: so many calls
 * in flight; `none-met`: nothing was refused; `unknown`: refusals, but no kind of limit explains them.
 */
export const LIMIT_KINDS = ['fixed-window', 'sliding-window', 'token-bucket', 'concurrency'] as const
export type LimitKind = (typeof LIMIT_KINDS)[number]

/**
 * `clock`: windows turn at full multiples of the clock; `free`: at some other time; `first-call`: the first call after
 * a window opens the next. `log`: exact; `counter`: the window before counts by the part of it still within reach;
 * `log-of-all`: refused calls count, too.
 */
export const LIMIT_VARIANTS = ['clock', 'free', 'first-call', 'log', 'counter', 'log-of-all'] as const
export type LimitVariant = (typeof LIMIT_VARIANTS)[number]

/** The rule of the limit. */
export const limitTierSchema = z.object({
  kind: z.enum(LIMIT_KINDS),
  variant: z.enum(LIMIT_VARIANTS).nullable(),
  /** How often it was met. */
  episodes: z.int(),
  /** Calls a second that it allows in the long run; null for a limit on calls at once. */
  perSecond: estimateSchema.nullable(),
  windowMs: estimateSchema.nullable(),
  /** Calls allowed at once after a rest: the bucket's size, or a window's whole number. */
  burst: estimateSchema.nullable(),
  /** Calls in flight at most. */
  atOnce: estimateSchema.nullable(),
})
export type LimitTier = z.infer<typeof limitTierSchema>

/**
 * How full a rule was when calls came, as the record says: over the stretch of time in which it was met most often. A call
 * counts itself, so that the rule lets it through up to `allowed` and refuses it above. Three lists of one length, in the
 * order of time.
 */
export const limitTraceSchema = z.object({
  /** Milliseconds in the record's time. */
  atMs: z.array(z.number()),
  level: z.array(z.number()),
  refused: z.array(z.boolean()),
  allowed: z.number(),
  /** Calls of that time that are not listed. */
  leftOut: z.int(),
})
export type LimitTrace = z.infer<typeof limitTraceSchema>

/** A kind of limit that was tried on the record, best parameters found. */
export const triedModelSchema = z.object({
  kinds: z.array(z.enum(LIMIT_KINDS)),
  variants: z.array(z.enum(LIMIT_VARIANTS).nullable()),
  /** Shares of the calls let through, and of those refused, whose fate a replay of the model foretells. */
  acceptedExplained: z.number().nullable(),
  refusedExplained: z.number().nullable(),
  /** Calls whose fate it gets wrong beyond what the network explains, its parameters paid for: fewer is better. */
  cost: z.number(),
})
export type TriedModel = z.infer<typeof triedModelSchema>

/** What the confidence rests on, for a report to word. */
export const LIMIT_REASONS = [
  'no-refusal',
  'few-refusals',
  'one-episode',
  'order-blurred',
  'model-fits',
  'model-fits-badly',
  'other-kind-fits-as-well',
  'rate-uncertain',
  'window-uncertain',
  'burst-uncertain',
  'limit-changed',
  'part-of-record-used',
] as const
export type LimitReason = (typeof LIMIT_REASONS)[number]

export const limitFindingSchema = z.object({
  kind: z.enum([...LIMIT_KINDS, 'none-met', 'unknown']),
  /** One at most; empty where none was met or none explains the refusals. */
  tiers: z.array(limitTierSchema),
  /** One for each tier. */
  traces: z.array(limitTraceSchema),
  /**
   * Calls a second of the whole organization in the long run. Where no limit was met: what was let through at least,
   * `high` null. Null for a limit on calls at once, or where nothing is known.
   */
  sustainedPerSecond: estimateSchema.nullable(),
  windowMs: estimateSchema.nullable(),
  burst: estimateSchema.nullable(),
  atOnce: estimateSchema.nullable(),
  /** Of the kind and the figures together. */
  confidence: z.enum(['high', 'medium', 'low']),
  reasons: z.array(z.enum(LIMIT_REASONS)),
  evidence: z.object({
    calls: z.int(),
    refusals: z.int(),
    /** Refusals in a row, with calls let through between: how often the limit was met. */
    episodes: z.int(),
    spanMs: z.number(),
    /** Calls of the record that the models were tried on: the latest ones of a very long one. */
    callsUsed: z.int(),
    /** Milliseconds by which the network may have moved a call. */
    networkMs: z.number(),
    /** The most calls a second that were let through over a stretch of time, whatever came after. */
    heldPerSecond: z.number().nullable(),
    heldForMs: z.number().nullable(),
    /** Best first. */
    models: z.array(triedModelSchema),
    /** By how much the next best kind explains less: its cost less the best one's; null where none was tried. */
    runnerUpBehind: z.number().nullable(),
    /** When the limit seems to have changed, in the record's time; the finding is of the time after. */
    changedAtMs: z.number().nullable(),
  }),
})
export type LimitFinding = z.infer<typeof limitFindingSchema>

/** A call as the record of a run has it: milliseconds since any origin, the same for all. */
export interface CallSeen {
  readonly sentMs: number
  readonly endedMs: number
  /** 429. */
  readonly refused: boolean
  /** The wait that the refusal named. */
  readonly namedMs?: number
}

export const inferredLimitSchema = z.object({
  /**
   * `rate`: so many calls in a time; `window`: it opens again at intervals; `at-once`: so many calls in flight;
   * `stated`: the endpoint's headers say it.
   */
  kind: z.enum(['rate', 'window', 'at-once', 'stated']),
  /** Calls a second that it let through while it was used up; null for a limit on calls at once. */
  perSecond: z.number().nullable(),
  /** Longest time between one opening and the next, milliseconds, where that was seen. */
  windowMs: z.number().nullable(),
  /** Calls let through before the first refusal, beyond what the rate would have: at least the burst allowed. */
  burst: z.int().nullable(),
  /** Calls in flight at most, for a limit on those. */
  atOnce: z.int().nullable(),
  /** The evidence: how often the limit was met, and by how many refused calls in all. */
  episodes: z.int(),
  refusals: z.int(),
  /** Learned by all processes that share the limit through Redis, so that the evidence is theirs together. */
  together: z.literal(true).optional(),
})
export type InferredLimit = z.infer<typeof inferredLimitSchema>

/**
 * Whether it was refused for going too fast. Undefined where that cannot be told: no status came, or another refusal or a
 * fault, which an endpoint may count or not.
 */
export function wasRefused(result: AttemptResult): boolean | undefined {
  const status = 'httpStatus' in result ? (result.httpStatus ?? 0) : 0
  if (status === 429) return true
  return status >= 200 && status < 300 ? false : undefined
}
