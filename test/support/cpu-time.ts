// Measures processor time, so that the load of the machine does not change the result.
import { existsSync, readFileSync } from 'node:fs'

const TRIES = 3
/** Linux: the first of three figures is the run time of the reading thread in nanoseconds. */
const OF_THREAD = '/proc/thread-self/schedstat'
const isOfThread = existsSync(OF_THREAD)

/**
 * Milliseconds of processor time. Above `enough`, the smallest of three tries: one may include the garbage
 * collection of other tests.
 */
export function cpuMs(enough: number, run: () => void): number {
  let least = Infinity
  for (let made = 0; made < TRIES && least > enough; made += 1) {
    const before = usedMs()
    run()
    least = Math.min(least, usedMs() - before)
  }
  return least
}

/** Of this thread where the system reports it: other tests may run in other threads of the process. */
function usedMs(): number {
  if (isOfThread) return Number.parseInt(readFileSync(OF_THREAD, 'utf8'), 10) / 1e6
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
