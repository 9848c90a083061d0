// The real clock.
import { performance } from 'node:perf_hooks'
import type { Clock } from '../domain/clock.ts'

export const realClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after: (ms, run) => {
    const start = performance.now()
    let timer: NodeJS.Timeout
    // setTimeout fires up to a millisecond early now and then, and overflows beyond 2^31 ms: look again.
    const wait = (): void => {
      const left = start + ms - performance.now()
      if (left <= 0) run()
      else timer = setTimeout(wait, Math.min(Math.ceil(left), 2 ** 30))
    }
    timer = setTimeout(wait, Math.min(Math.ceil(ms), 2 ** 30))
    return () => clearTimeout(timer)
  },
}
