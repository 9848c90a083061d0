// How much work something is, whatever else the machine does meanwhile.

const TRIES = 3

/** Milliseconds of processor time. Where it takes more than `enough`, the least of three tries: one may meet others' garbage. */
export function cpuMs(enough: number, run: () => void): number {
  let least = Infinity
  for (let made = 0; made < TRIES && least > enough; made += 1) {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}
