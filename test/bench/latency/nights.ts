// How often service times of two like runs differ "for certain", when the endpoint has better and worse nights.
import { bootstrapQuantiles } from '../../../src/stats/quantile-bootstrap.ts'

const NIGHTS: readonly {
  readonly name: string
  readonly factors: (random: () => number, threads: number) => number[]
}[] = [
  { name: 'every night alike', factors: (_, threads) => Array.from({ length: threads }, () => 1) },
  {
    name: 'whole nights up to 10 % slower',
    factors: (random, threads) => {
      const factor = 1 + 0.1 * random()
      return Array.from({ length: threads }, () => factor)
    },
  },
  {
    name: 'every other night a tenth of the run at half speed',
    factors: (random, threads) => {
      const first = random() < 0.5 ? Math.floor(0.9 * threads * random()) : threads
      return Array.from({ length: threads }, (_, place) =>
        place >= first && place < first + threads / 10 ? 2 : 1,
      )
    },
  },
]

/** Prints the share of pairs of like runs with p ≤ 0.05, in percent, for p50, p90, p95 and p99. */
export function printFalseAlarmsOfNights(random: () => number, pairs: number): void {
  console.log(
    `\nService time, like runs, ${pairs} pairs each: p of 0.05 or less, in percent, at p50, p90, p95, p99`,
  )
  for (const { name, factors } of NIGHTS)
    for (const threads of [300, 1000]) {
      const alarms = [0, 0, 0, 0]
      for (let pair = 0; pair < pairs; pair += 1) {
        const own = Array.from({ length: threads }, () => 400 * random())
        const run = (): number[] => {
          const slow = factors(random, threads)
          return own.map((floor, place) => (slow[place] ?? 1) * (300 + floor - 500 * Math.log(1 - random())))
        }
        const [before, after] = [run(), run()]
        const clusters = before.map((one, place) => ({ baseline: [one], candidate: [after[place] ?? one] }))
        const results =
          bootstrapQuantiles(clusters, [0.5, 0.9, 0.95, 0.99], { random, replicates: 400 }) ?? []
        for (const [place, { p }] of results.entries())
          if (p <= 0.05) alarms[place] = (alarms[place] ?? 0) + 1
      }
      const shares = alarms.map((count) => ((100 * count) / pairs).toFixed(1))
      console.log(`  ${name}, ${threads} threads: ${shares.join(', ')}`)
    }
}
