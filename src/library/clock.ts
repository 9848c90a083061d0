// The real clocks: one that is never late, for the pace of a run, and one that keeps no core busy, for load tests.
import { performance } from 'node:perf_hooks'
import type { Clock } from '../domain/clock.ts'

/** Timers overflow beyond 2^31 milliseconds. */
const LONGEST_TIMER_MS = 2 ** 30
/** The last of a wait is spent looking at the clock: a late timer would cost a tenth of 100 calls a second. */
const LOOKING_MS = 1.5

export const realClock: Clock = clockThatLooks(LOOKING_MS)
/** Late by a millisecond at most where the process gets its turn, which counts as lag; at hundreds of calls a second looking would take a core. */
export const timerClock: Clock = clockThatLooks(0)

/** Never early, though Node's timers are now and then. */
function clockThatLooks(lookingMs: number): Clock {
  return {
    now: () => performance.now(),
    wall: () => Date.now(),
    after: (ms, run) => {
      const due = performance.now() + ms
      let cancel = (): void => undefined
      const soon = (act: () => void): void => {
        const immediate = setImmediate(act)
        cancel = () => clearImmediate(immediate)
      }
      const wait = (): void => {
        const left = due - performance.now()
        if (left <= 0) run()
        else if (left <= lookingMs) soon(wait)
        else {
          const timer = setTimeout(wait, Math.min(Math.ceil(left - lookingMs), LONGEST_TIMER_MS))
          cancel = () => clearTimeout(timer)
        }
      }
      if (ms > 0) wait()
      else soon(run)
      return () => cancel()
    },
  }
}
