// The real clocks: a precise one for pacing, and one for load tests that leaves the CPU idle while it waits.
import { performance } from 'node:perf_hooks'
import type { Clock } from '../domain/clock.ts'

/** Keeps below 2^31 milliseconds, where Node's timers overflow. */
const MAX_TIMER_MS = 2 ** 30
/** Polls at the end of a wait: at 100 calls a second, a timer late by 1 ms costs a tenth of the rate. */
const POLL_MS = 1.5

export const realClock: Clock = createClock(POLL_MS)
/** Uses timers alone, up to 1 ms late: at hundreds of calls a second polling would take a whole core. */
export const timerClock: Clock = createClock(0)

/** Makes the clock of one session, in whole milliseconds: what lies between two times is a duration. */
export function sessionClock(real: Clock): Clock {
  const clock = anchorClock(real)
  return { ...clock, wall: () => Math.round(clock.wall()) }
}

export interface AnchoredClock extends Clock {
  readonly wallOf: (moment: number) => number
}

/**
 * Derives all times from the monotonic clock, once it has read the wall clock, which may be set meanwhile:
 * what lies between two written times is a duration.
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

export class Wait {
  readonly #clock: Clock
  #wake: () => void = () => undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async until(at: number): Promise<void> {
    let cancel: () => void = () => undefined
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      if (at < Infinity) cancel = this.#clock.after(Math.max(0, at - this.#clock.now()), resolve)
    })
    cancel()
  }

  wake(): void {
    this.#wake()
  }
}
