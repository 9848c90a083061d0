// Token bucket: a burst at once, then a steady trickle.
import type { Limit } from './rule.ts'

/** Sums of fractions of a token miss a whole one by some 1e-16; waiting for that would be absurd. */
const NEARLY = 1e-9

export function tokenBucket(limit: number, windowMs: number, capacity: number): Limit {
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
