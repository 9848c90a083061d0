// How much work something is, whatever else the machine does meanwhile.
import { existsSync, readFileSync } from 'node:fs'

const TRIES = 3
/** Linux: nanoseconds that the thread which reads it has run, first of three figures. */
const OF_THREAD = '/proc/thread-self/schedstat'
const isOfThread = existsSync(OF_THREAD)

/** Milliseconds of processor time. Where it takes more than `enough`, the least of three tries: one may meet others' garbage. */
export function cpuMs(enough: number, run: () => void): number {
  let least = Infinity
  for (let made = 0; made < TRIES && least > enough; made += 1) {
    const before = usedMs()
    run()
    least = Math.min(least, usedMs() - before)
  }
  return least
}

/** Of this thread, where the system tells it: other tests may run in other threads of the process. */
function usedMs(): number {
  if (isOfThread) return Number.parseInt(readFileSync(OF_THREAD, 'utf8'), 10) / 1e6
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
