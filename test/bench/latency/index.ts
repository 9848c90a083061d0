// How fast and how right the review of latencies is: `npm run bench:latency` (SEED, PAIRS).
import { reviewLatency, type TimedPair } from '../../../src/analysis/comparison/latency-review.ts'
import { seededRandom } from '../../../src/stats/random.ts'
import { printCoverage } from './coverage.ts'
import { printFalseAlarmsOfNights } from './nights.ts'
import { printFalseAlarmsOfWaiting } from './waiting.ts'
import { walk } from '../../../src/stats/steps.ts'

const seed = Number(process.env['SEED'] ?? 1)
const pairs = Number(process.env['PAIRS'] ?? 300)
const random = seededRandom(seed)
console.log(`Seed ${seed}`)

const time = (): number => 300 - 500 * Math.log(1 - random())
for (const [turns, threads] of [
  [300, 300],
  [10_000, 4_000],
  [100_000, 40_000],
  [100_000, 100_000],
] as const) {
  const timed = Array.from({ length: turns }, (_, place): TimedPair => {
    const thread = `t${place % threads}`
    return {
      thread,
      service: { baseline: time(), candidate: time() },
      wait: { baseline: random(), candidate: random() },
    }
  })
  const [start, used] = [performance.now(), process.cpuUsage()]
  const { service } = walk(reviewLatency(timed, { seed }))
  const seconds = ((performance.now() - start) / 1000).toFixed(2)
  // Of the processor: what a machine of one's own takes, however busy this one is.
  const busy = (process.cpuUsage(used).user / 1e6).toFixed(2)
  const { estimate = 0, low, high } = service.p95.difference ?? {}
  console.log(
    `${turns} turns in ${threads} threads: ${seconds} s (${busy} s of the processor); p95 changed by ${estimate.toFixed(0)} ms ` +
      `(${low?.toFixed(0)} to ${high?.toFixed(0)})`,
  )
}
if (pairs > 0) {
  printFalseAlarmsOfNights(random, pairs)
  printCoverage(random, pairs)
  printFalseAlarmsOfWaiting(random, pairs)
}
