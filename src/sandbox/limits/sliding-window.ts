// Sliding window, exact: the times of the calls that are still inside the window.
import type { Limit } from './rule.ts'

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
