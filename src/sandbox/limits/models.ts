// Rate limit models: fixed and sliding window, token bucket.
import * as z from 'zod'
import { periodSchema } from '../latency.ts'

const common = {
  limit: z.int().positive(),
  window: periodSchema,
  /** Names the policy in the IETF headers. */
  name: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .optional(),
}

export const limitConfigSchema = z.discriminatedUnion('kind', [
  /** Resets at each multiple of the window: up to twice the limit can pass around a boundary. */
  z.strictObject({ kind: z.literal('fixed-window'), ...common }),
  /** Allows `limit` calls in any window, wherever it starts. */
  z.strictObject({ kind: z.literal('sliding-window'), ...common }),
  /** Holds up to `burst` calls (default: `limit`), refills by `limit` per window; 1 spaces calls evenly. */
  z.strictObject({ kind: z.literal('token-bucket'), ...common, burst: z.int().positive().optional() }),
])
export type LimitConfig = z.output<typeof limitConfigSchema>

export interface LimitStanding {
  readonly limit: number
  readonly windowMs: number
  readonly remaining: number
  /** Is when the whole allowance is available again without further calls. */
  readonly resetAt: number
}

/** Is one rule and its state. Times are in milliseconds and must not decrease from call to call. */
export interface Limit {
  /** Gives the earliest time, `now` or later, at which one more call is allowed. */
  readonly nextAt: (now: number) => number
  /** Counts one call. If `nextAt` does not allow it, later calls wait longer. */
  readonly spend: (now: number) => void
  readonly standing: (now: number) => LimitStanding
}

export function makeLimit(rule: LimitConfig): Limit {
  switch (rule.kind) {
    case 'fixed-window':
      return fixedWindow(rule.limit, rule.window)
    case 'sliding-window':
      return slidingWindow(rule.limit, rule.window)
    case 'token-bucket':
      return tokenBucket(rule.limit, rule.window, rule.burst)
  }
}

export function fixedWindow(limit: number, windowMs: number): Limit {
  let start = Number.NEGATIVE_INFINITY
  let count = 0

  const startWindow = (now: number): void => {
    const current = Math.floor(now / windowMs) * windowMs
    if (current === start) return
    start = current
    count = 0
  }

  return {
    nextAt(now) {
      startWindow(now)
      return count < limit ? now : start + windowMs
    },
    spend(now) {
      startWindow(now)
      count += 1
    },
    standing(now) {
      startWindow(now)
      return { limit, windowMs, remaining: Math.max(0, limit - count), resetAt: start + windowMs }
    },
  }
}

export function slidingWindow(limit: number, windowMs: number): Limit {
  /** It begins with the oldest, and has at most `limit`, since only the last `limit` calls decide. */
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

/** Allows for rounding errors when fractions of a token add up to a whole one. */
const TOLERANCE = 1e-9

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
      return tokens >= 1 - TOLERANCE ? now : now + (1 - tokens) * msPerToken
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
        remaining: Math.max(0, Math.floor(tokens + TOLERANCE)),
        resetAt: now + (capacity - tokens) * msPerToken,
      }
    },
  }
}
