// The shapes of `npm run bench -- pacing-http` in virtual time: answers of 0.15 s, refusals of 4 ms, a near network. What real
// time measures is this, but for the noise of the machine.
import { seededRandom } from '../../../src/stats/random.ts'
import { count, loadOf, seeds } from './measure.ts'
import { ours } from './ours.ts'
import { bucket, fixed, limited, retryAfter, sliding, type Server } from './servers.ts'
import { simulateTogether } from './simulate.ts'

const FAST = { medianMs: 150, refusalMs: 4 }
const JITTER_MS = 3
/** Windows of the clock begin anywhere: a few runs a seed. */
const RUNS = 3

interface Shape {
  readonly name: string
  readonly perSecond: number
  readonly calls: number
  readonly make: () => Server
  /** Share of the limit at least and 429s at most, both in %. */
  readonly goal: readonly [share: number, refused: number]
}

const shape = (name: string, perSecond: number, calls: number, goal: Shape['goal'], make: Shape['make']) => ({
  name,
  perSecond,
  calls,
  goal,
  make,
})

const shapes: readonly Shape[] = [
  shape('fixed window 60/6s', 10, 400, [90, 1.5], () => limited([fixed(60, 6)])),
  shape('20/s b2, Retry-After', 20, 400, [75, 2], () => limited([bucket(20, 2)], retryAfter)),
  shape('token bucket 10/s b10', 10, 600, [92, 2], () => limited([bucket(10, 10)])),
  shape('fixed window 20/2s', 10, 600, [92, 2], () => limited([fixed(20, 2)])),
  shape('sliding window 20/2s', 10, 600, [92, 2], () => limited([sliding(20, 2)])),
]

export function printFast(): void {
  console.log('\nThe shapes of pacing-http in virtual time: share of the limit / 429s, both in %; goal\n')
  for (const { name, perSecond, calls, make, goal } of shapes) {
    let [share, refused] = [0, 0]
    for (const seed of seeds)
      for (let run = 0; run < RUNS; run += 1) {
        const load = { ...loadOf(calls, 10_000 * run + seed), ...FAST }
        const asking = [{ policy: ours(seededRandom(1000 + seed)), load }]
        const [outcome] = simulateTogether(asking, make(), JITTER_MS)
        count.runs += 1
        if (outcome === undefined) throw new Error('one party, one outcome')
        share += (calls / perSecond / outcome.makespan) * 100_000
        refused += (outcome.refused / outcome.attempts) * 100
      }
    const runs = seeds.length * RUNS
    const figures = `${(share / runs).toFixed(1)} / ${(refused / runs).toFixed(2)}`
    console.log(`${name.padEnd(26)}${figures.padStart(14)}${goal.join(' / ').padStart(12)}`)
  }
}
