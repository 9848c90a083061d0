// The time until which nothing may be sent: the longest of the pauses asked for.
import type { Closure } from './policy.ts'
import { LONGEST_NAMED_MS } from './retry-after.ts'

export interface Closures {
  readonly current: Closure | undefined
  /**
   * Closes for `ms` from `now`, for an hour at most, unless it is closed for longer already. `named`: the endpoint asked
   * for it; a wait of more than an hour is not put up with as such.
   */
  close(now: number, ms: number, named: boolean): void
  isClosed(now: number): boolean
}

export function createClosures(): Closures {
  let current: Closure | undefined
  return {
    get current() {
      return current
    },
    close: (now, ms, named) => {
      const until = now + Math.min(ms, LONGEST_NAMED_MS)
      if (current !== undefined && current.until >= until) return
      current = { from: now, until, named: named && ms <= LONGEST_NAMED_MS }
    },
    isClosed: (now) => current !== undefined && now < current.until,
  }
}
