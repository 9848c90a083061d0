// How much work something is, whatever else the machine does meanwhile, and however slow it is at the moment.

const TRIES = 3
/** Steps of the yardstick, and milliseconds that they take a core of 2.5 GHz of its own: 4 cycles each. */
const STEPS = 20_000_000
const STEPS_MS = 32

/**
 * Milliseconds of processor time, as a core would take that nobody else slows down: a busy host may take four times as long for
 * everything. Where it takes more than `enough`, that is looked at, and the least of three tries counts: one may meet others' garbage.
 */
export function cpuMs(enough: number, run: () => void): number {
  let least = measure(run)
  for (let made = 1; made <= TRIES && least > enough; made += 1) {
    // Compiled before it is measured.
    for (let round = 0; round < 200; round += 1) spin(STEPS / 200)
    const before = measure(() => spin(STEPS))
    const taken = measure(run)
    const after = measure(() => spin(STEPS))
    const slowness = Math.max(1, Math.min(before, after) / STEPS_MS)
    least = Math.min(least, taken / slowness)
  }
  return least
}

function measure(run: () => void): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Each step waits for the one before. */
function spin(steps: number): void {
  let sum = 1
  for (let step = 0; step < steps; step += 1) sum = (Math.imul(sum, 31) + step) | 0
  if (sum === 0) throw new Error('the yardstick came to nothing')
}
