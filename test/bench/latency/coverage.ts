// How often the interval of a percentile's difference holds the truth, by how many threads lie beyond it.
import { normalBelow } from '../../../src/stats/normal.ts'
import { bootstrapQuantiles, type SampleCluster } from '../../../src/stats/quantile-bootstrap.ts'

/** Service times, milliseconds, from a standard normal number. */
const SHAPES: readonly (readonly [string, (z: number) => number])[] = [
  ['log-normal', (z) => 800 * Math.exp(0.6 * z)],
  ['heavy tail', (z) => 300 / (1 - normalBelow(z)) ** 0.5],
]
const QUANTILES = [
  { quantile: 0.9, z: 1.2815515655446004 },
  { quantile: 0.95, z: 1.6448536269514722 },
  { quantile: 0.99, z: 2.3263478740408408 },
]
/** Turns beyond the percentile. */
const BEYOND = [2, 3, 5, 7, 10, 15, 20]
/** Threads that these turns turn out to be of: from so many. */
const GROUPS = [0, 1, 2, 3, 4, 6]

const gaussian = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** Part of a turn's scatter that is its thread's; and how many turns a thread has. */
interface Likeness {
  readonly name: string
  readonly thread: number
  readonly length: (random: () => number) => number
}
const LIKENESSES: readonly Likeness[] = [
  {
    name: 'threads of 1 to 5, loosely alike',
    thread: 0.3,
    length: (random) => 1 + Math.floor(5 * random() ** 2),
  },
  { name: 'threads of 5, nearly one', thread: 0.9, length: () => 5 },
]

/** A fifth of what is not the thread's is the question's: the same in both runs, as the thread's is. */
function drawRuns(
  random: () => number,
  turns: number,
  { thread, length }: Likeness,
  time: (z: number) => number,
  slower: number,
): SampleCluster[] {
  const clusters: SampleCluster[] = []
  for (let left = turns; left > 0;) {
    const own = Math.sqrt(thread) * gaussian(random)
    const size = Math.min(left, length(random))
    left -= size
    const questions = Array.from({ length: size }, () => own + Math.sqrt((1 - thread) / 5) * gaussian(random))
    const run = (factor: number): number[] =>
      questions.map((shared) => factor * time(shared + Math.sqrt(((1 - thread) * 4) / 5) * gaussian(random)))
    clusters.push({ baseline: run(1), candidate: run(slower) })
  }
  return clusters
}

/** Prints how often, in percent, the 95 % interval held the true difference: none / slower by 30 %. */
export function printCoverage(random: () => number, pairs: number): void {
  console.log(`\nCoverage of the 95 % interval, 7 × ${pairs} pairs of runs each: no change / slower by 30 %`)
  for (const likeness of LIKENESSES)
    for (const [shape, time] of SHAPES)
      for (const { quantile, z } of QUANTILES) {
        const tables = [1, 1.3].map((slower) => {
          const truth = (slower - 1) * time(z)
          const groups = GROUPS.map(() => ({ held: 0, seen: 0 }))
          for (const beyond of BEYOND)
            for (let pair = 0; pair < pairs; pair += 1) {
              const clusters = drawRuns(random, Math.round(beyond / (1 - quantile)), likeness, time, slower)
              const [result] = bootstrapQuantiles(clusters, [quantile], { random, replicates: 400 }) ?? []
              const group = groups[GROUPS.findLastIndex((from) => from <= (result?.threadsBeyond ?? 0))]
              if (result === undefined || group === undefined) continue
              group.seen += 1
              if (result.low <= truth && truth <= result.high) group.held += 1
            }
          return groups
        })
        const cells = GROUPS.map((from, place) => {
          const shares = tables.map((groups) => {
            const { held, seen } = groups[place] ?? { held: 0, seen: 0 }
            return seen < 50 ? 'few' : ((100 * held) / seen).toFixed(1)
          })
          return `${from}: ${shares.join(' / ')}`
        })
        console.log(
          `  ${likeness.name}, ${shape}, p${100 * quantile}, threads beyond it from ${cells.join('; ')}`,
        )
      }
}
