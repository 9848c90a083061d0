// The time until which nothing may be sent: the longest of the pauses asked for.
import type { Closure } from './policy.ts'
import { LONGEST_NAMED_MS } from './retry-after.ts'

export interface Closures {
  readonly current: Closure | undefined
  /** Closes for `ms` from `now`, for an hour at most, unless it is closed for longer already. */
  close(now: number, ms: number): void
  isClosed(now: number): boolean
}

export function createClosures(): Closures {
  let current: Closure | undefined
  return {
    get current() {
      return current
    },
    close: (now, ms) => {
      const until = now + Math.min(ms, LONGEST_NAMED_MS)
      if (current !== undefined && current.until >= until) return
      current = { from: now, until }
    },
    isClosed: (now) => current !== undefined && now < current.until,
  }
}
