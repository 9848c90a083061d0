// The clock of a load test: timers alone, without the looking at the clock that would keep a core busy.
import { performance } from 'node:perf_hooks'
import type { Clock } from '../../domain/clock.ts'
import { realClock } from '../clock.ts'

/** Timers overflow beyond 2^31 milliseconds. */
const LONGEST_TIMER_MS = 2 ** 30

/**
 * Late by a millisecond at most where the process gets its turn, which is told as lag; never early, though Node's timers
 * are now and then. At hundreds of calls a second the real clock's looking would take a core of its own.
 */
export const timerClock: Clock = {
  now: realClock.now,
  wall: realClock.wall,
  after: (ms, run) => {
    const due = performance.now() + ms
    let timer: NodeJS.Timeout | undefined
    let immediate: NodeJS.Immediate | undefined
    const wait = (): void => {
      const left = due - performance.now()
      if (left <= 0) run()
      else timer = setTimeout(wait, Math.min(Math.ceil(left), LONGEST_TIMER_MS))
    }
    if (ms > 0) wait()
    else immediate = setImmediate(run)
    return () => {
      clearTimeout(timer)
      clearImmediate(immediate)
    }
  },
}
