// The limits of `npm run bench -- pacing-http` in virtual time: answers of 0.15 s, 429s of 4 ms, a fast network. Real time measures
// the same, plus the noise of the machine.
import { seededRandom } from '../../../src/stats/random.ts'
import { count, loadOf, seeds } from './measure.ts'
import { ours } from './ours.ts'
import { bucket, fixed, limited, retryAfter, sliding, type Server, xReset } from './servers.ts'
import { simulate } from './simulate.ts'

export const FAST = { medianMs: 150, refusalMs: 4 }
export const JITTER_MS = 3
/** Aligned windows may start at any time, so each seed has several runs. */
const RUNS = 3

/** `goal`: minimum share of the limit and maximum of 429s, both in %. */
type Shape = readonly [name: string, perSecond: number, calls: number, goal: readonly number[], () => Server]

export const shapes: readonly Shape[] = [
  ['fixed window 60/6s', 10, 400, [90, 1.5], () => limited([fixed(60, 6)])],
  ['20/s b2, Retry-After', 20, 400, [75, 2], () => limited([bucket(20, 2)], retryAfter)],
  ['token bucket 10/s b10', 10, 600, [92, 2], () => limited([bucket(10, 10)])],
  ['fixed window 20/2s', 10, 600, [92, 2], () => limited([fixed(20, 2)])],
  ['sliding window 20/2s', 10, 600, [92, 2], () => limited([sliding(20, 2)])],
  ['sliding window, Reset', 10, 600, [85, 2], () => limited([sliding(20, 2)], xReset)],
]

export function printFast(): void {
  console.log('\nThe shapes of pacing-http in virtual time: share of the limit / 429s, both in %; goal\n')
  for (const [name, perSecond, calls, goal, make] of shapes) {
    let [share, refused] = [0, 0]
    for (const seed of seeds)
      for (let run = 0; run < RUNS; run += 1) {
        const load = { ...loadOf(calls, 10_000 * run + seed), ...FAST }
        const outcome = simulate(ours(seededRandom(1000 + seed)), make(), load, JITTER_MS)
        count.runs += 1
        share += (calls / perSecond / outcome.makespan) * 100_000
        refused += (outcome.refused / outcome.attempts) * 100
      }
    const runs = seeds.length * RUNS
    const figures = `${(share / runs).toFixed(1)} / ${(refused / runs).toFixed(2)}`
    console.log(`${name.padEnd(26)}${figures.padStart(14)}${goal.join(' / ').padStart(12)}`)
  }
}
