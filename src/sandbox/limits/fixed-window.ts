// Fixed window: a count that starts anew at every full window of the clock.
import type { Limit } from './rule.ts'

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
