// The real clocks: a precise one for pacing, and one for load tests that leaves the CPU idle while it waits.
import { performance } from 'node:perf_hooks'
import type { Clock } from '../domain/clock.ts'

/** Node's timers overflow at 2^31 milliseconds. */
const MAX_TIMER_MS = 2 ** 30
/**
 * The end of each wait polls the clock: at 100 calls a second, a timer that is late by 1 ms costs a tenth of
 * the rate.
 */
const POLL_MS = 1.5

export const realClock: Clock = createClock(POLL_MS)
/**
 * Timers alone, up to 1 ms late, which counts as send lag: at hundreds of calls a second polling would take a
 * whole core.
 */
export const timerClock: Clock = createClock(0)

/**
 * The clock of one session: what lies between two of its times is a duration. It writes whole milliseconds.
 */
export function sessionClock(real: Clock): Clock {
  const clock = anchorClock(real)
  return { ...clock, wall: () => Math.round(clock.wall()) }
}

export interface AnchoredClock extends Clock {
  /** Converts a time of the clock to milliseconds since the epoch. */
  readonly wallOf: (moment: number) => number
}

/**
 * Reads the wall clock once and derives all later times from the monotonic clock: what lies between two
 * written times is a duration, although the wall clock may be set meanwhile.
 */
export function anchorClock(clock: Clock): AnchoredClock {
  const [startedAt, wallAtStart] = [clock.now(), clock.wall()]
  // Microseconds: further digits are noise.
  const wallOf = (moment: number): number => Math.round((wallAtStart + moment - startedAt) * 1000) / 1000
  return { now: () => clock.now(), wall: () => wallOf(clock.now()), after: clock.after.bind(clock), wallOf }
}

/** Never fires early; Node's own timers sometimes do. */
function createClock(pollMs: number): Clock {
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
        else if (left <= pollMs) soon(wait)
        else {
          const timer = setTimeout(wait, Math.min(Math.ceil(left - pollMs), MAX_TIMER_MS))
          cancel = () => clearTimeout(timer)
        }
      }
      if (ms > 0) wait()
      else soon(run)
      return () => cancel()
    },
  }
}
