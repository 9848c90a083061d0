// How often threads drawn again see a change of waiting between two runs that one limiter held up by chance.
import { bootstrapQuantiles } from '../../../src/stats/quantile-bootstrap.ts'

const HELD_UP = 16

/** Each thread's waits, milliseconds: next to none, but for pauses that hold up neighbours together. */
function drawWaits(random: () => number, sizes: readonly number[], pauses: number): number[][] {
  const waits = sizes.map((size) => Array.from({ length: size }, () => 50 * random()))
  // Poisson: pauses come at any time, independent of each other.
  for (let left = -Math.log(1 - random()); left < pauses; left -= Math.log(1 - random())) {
    const first = Math.floor(random() * sizes.length)
    const pause = -30_000 * Math.log(1 - random())
    for (const held of waits.slice(first, first + HELD_UP)) {
      const turn = Math.floor(random() * held.length)
      held[turn] = (held[turn] ?? 0) + pause
    }
  }
  return waits
}

/** Prints the share of pairs of like runs with p ≤ 0.05, in percent, for p50, p90, p95 and p99. */
export function printFalseAlarmsOfWaiting(random: () => number, pairs: number): void {
  console.log(
    `\nWaiting, like runs, ${pairs} pairs each: p of 0.05 or less, in percent, at p50, p90, p95, p99`,
  )
  for (const pauses of [1, 3, 10]) {
    const alarms = [0, 0, 0, 0]
    for (let pair = 0; pair < pairs; pair += 1) {
      const sizes = Array.from({ length: 300 }, () => 1 + Math.floor(5 * random() ** 2))
      const [before, after] = [drawWaits(random, sizes, pauses), drawWaits(random, sizes, pauses)]
      const clusters = before.map((baseline, place) => ({ baseline, candidate: after[place] ?? [] }))
      const results = bootstrapQuantiles(clusters, [0.5, 0.9, 0.95, 0.99], { random, replicates: 400 }) ?? []
      for (const [place, { p }] of results.entries()) if (p <= 0.05) alarms[place] = (alarms[place] ?? 0) + 1
    }
    const shares = alarms.map((count) => ((100 * count) / pairs).toFixed(1))
    console.log(`  ${pauses} pauses a run, each of ${HELD_UP} turns of 300 threads: ${shares.join(', ')}`)
  }
}
