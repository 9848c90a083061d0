// The real clock.
import { performance } from 'node:perf_hooks'
import type { Clock } from '../domain/clock.ts'

/** Timers count whole milliseconds and overflow beyond 2^31 of them. */
const LONGEST_TIMER_MS = 2 ** 30
/** The last of a wait is spent looking at the clock: a late timer would cost a tenth of 100 calls a second. */
const LOOKING_MS = 1.5

export const realClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after: (ms, run) => {
    const due = performance.now() + ms
    let cancel = (): void => undefined
    const wait = (): void => {
      const left = due - performance.now()
      if (left <= 0) run()
      else if (left <= LOOKING_MS) {
        const immediate = setImmediate(wait)
        cancel = () => clearImmediate(immediate)
      } else {
        const timer = setTimeout(wait, Math.min(Math.floor(left - LOOKING_MS) + 1, LONGEST_TIMER_MS))
        cancel = () => clearTimeout(timer)
      }
    }
    if (ms > 0) wait()
    else {
      const immediate = setImmediate(run)
      cancel = () => clearImmediate(immediate)
    }
    return () => cancel()
  },
}
