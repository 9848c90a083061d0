// The models of a rate limit: fixed and sliding window, token bucket, GCRA.
import * as z from 'zod'
import { periodSchema } from '../latency.ts'

const common = {
  /** Calls allowed in a window. */
  limit: z.int().positive(),
  window: periodSchema,
  /** How the IETF headers call it. */
  name: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .optional(),
}
const burst = z.int().positive().optional()

export const limitRuleSchema = z.discriminatedUnion('kind', [
  /** Counts anew at each full window of the clock: up to twice the limit may pass around the turn. */
  z.strictObject({ kind: z.literal('fixed-window'), ...common }),
  /** Never more than the limit in any window, wherever it starts. */
  z.strictObject({ kind: z.literal('sliding-window'), ...common }),
  /** Holds `burst` calls (default: the limit), and gains `limit` a window. */
  z.strictObject({ kind: z.literal('token-bucket'), ...common, burst }),
  /** Spaces calls by window / limit, tolerating `burst` at once (default: 1, no burst at all). */
  z.strictObject({ kind: z.literal('gcra'), ...common, burst }),
])
export type LimitRule = z.output<typeof limitRuleSchema>

/** What a limit tells of itself in headers. */
export interface Standing {
  readonly limit: number
  readonly windowMs: number
  /** Calls that would be allowed now, one after the other. */
  readonly remaining: number
  /** When the whole allowance is there again, if nobody calls. */
  readonly resetAt: number
}

/** One rule with its memory. Times are milliseconds, arrive as parameters, and never run backwards. */
export interface Limit {
  /** The earliest time, `now` or later, at which one more call is allowed. */
  readonly nextAt: (now: number) => number
  /** Takes one call. Without leave of `nextAt` it is one too many, for which later ones wait. */
  readonly spend: (now: number) => void
  readonly standing: (now: number) => Standing
}

const MODELS: Record<LimitRule['kind'], (limit: number, windowMs: number, burst?: number) => Limit> = {
  'fixed-window': fixedWindow,
  'sliding-window': slidingWindow,
  'token-bucket': tokenBucket,
  gcra,
}

export function makeLimit(rule: LimitRule): Limit {
  return MODELS[rule.kind](rule.limit, rule.window, 'burst' in rule ? rule.burst : undefined)
}

export function fixedWindow(limit: number, windowMs: number): Limit {
  let start = Number.NEGATIVE_INFINITY
  let count = 0

  const turnTo = (now: number): void => {
    const current = Math.floor(now / windowMs) * windowMs
    if (current === start) return
    start = current
    count = 0
  }

  return {
    nextAt(now) {
      turnTo(now)
      return count < limit ? now : start + windowMs
    },
    spend(now) {
      turnTo(now)
      count += 1
    },
    standing(now) {
      turnTo(now)
      return { limit, windowMs, remaining: Math.max(0, limit - count), resetAt: start + windowMs }
    },
  }
}

export function slidingWindow(limit: number, windowMs: number): Limit {
  /** Oldest first; never more than `limit`, since older ones keep nobody waiting. */
  const times: number[] = []

  const forget = (now: number): void => {
    while (times[0] !== undefined && times[0] <= now - windowMs) times.shift()
  }

  return {
    nextAt(now) {
      forget(now)
      return times[0] === undefined || times.length < limit ? now : times[0] + windowMs
    },
    spend(now) {
      times.push(now)
      if (times.length > limit) times.shift()
    },
    standing(now) {
      forget(now)
      const resetAt = (times.at(-1) ?? now - windowMs) + windowMs
      return { limit, windowMs, remaining: limit - times.length, resetAt }
    },
  }
}

/** Sums of fractions of a token miss a whole one by some 1e-16; waiting for that would be absurd. */
const NEARLY = 1e-9

export function tokenBucket(limit: number, windowMs: number, capacity = limit): Limit {
  const msPerToken = windowMs / limit
  let tokens = capacity
  let filledAt = Number.NEGATIVE_INFINITY

  const fill = (now: number): void => {
    if (now <= filledAt) return
    tokens = Math.min(capacity, tokens + (now - filledAt) / msPerToken)
    filledAt = now
  }

  return {
    nextAt(now) {
      fill(now)
      return tokens >= 1 - NEARLY ? now : now + (1 - tokens) * msPerToken
    },
    spend(now) {
      fill(now)
      tokens -= 1
    },
    standing(now) {
      fill(now)
      return {
        limit,
        windowMs,
        remaining: Math.max(0, Math.floor(tokens + NEARLY)),
        resetAt: now + (capacity - tokens) * msPerToken,
      }
    },
  }
}

/** Generic cell rate algorithm (ITU-T I.371): in effect a token bucket, but no burst is the default. */
export function gcra(limit: number, windowMs: number, size = 1): Limit {
  return tokenBucket(limit, windowMs, size)
}
