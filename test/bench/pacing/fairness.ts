// Several of ours on one limit: how fairly they share it without knowing of each other.
import { seededRandom } from '../../../src/stats/random.ts'
import { jainIndex } from '../measured.ts'
import { count, loadOf, seeds } from './measure.ts'
import { ours } from './ours.ts'
import { bucket, fixed, limited, sliding, type Server } from './servers.ts'
import { simulateTogether } from './simulate.ts'

const CALLS_EACH = 500

const limits: readonly { readonly name: string; readonly perSecond: number; readonly make: () => Server }[] =
  [
    { name: 'fixed 300/60s', perSecond: 5, make: () => limited([fixed(300, 60)]) },
    { name: 'sliding log 300/60s', perSecond: 5, make: () => limited([sliding(300, 60)]) },
    { name: 'token bucket 10/s b20', perSecond: 10, make: () => limited([bucket(10, 20)]) },
  ]

interface Fairness {
  /** Jain's index over the calls done when the first of them was done: 1 is even, 1 ÷ peers is one alone. */
  readonly jain: number
  /** 429s of all attempts, percent. */
  readonly refused: number
  /** Until the last is done ÷ all calls at the sustained rate. */
  readonly makespan: number
}

function together(peers: number, limit: (typeof limits)[number]): Fairness {
  const mean = { jain: 0, refused: 0, makespan: 0 }
  for (const seed of seeds) {
    const asking = Array.from({ length: peers }, (_, place) => {
      const policy = ours(seededRandom(1000 * (place + 1) + seed))
      return { policy, load: loadOf(CALLS_EACH, 100 * place + seed) }
    })
    const outcomes = simulateTogether(asking, limit.make())
    count.runs += peers
    const total = (pick: (outcome: (typeof outcomes)[number]) => number): number =>
      outcomes.reduce((sum, outcome) => sum + pick(outcome), 0)
    const ideal = (peers * CALLS_EACH * 1000) / limit.perSecond
    mean.jain += jainIndex(outcomes.map(({ doneAtFirst }) => doneAtFirst)) / seeds.length
    mean.refused +=
      ((total(({ refused }) => refused) / total(({ attempts }) => attempts)) * 100) / seeds.length
    mean.makespan += Math.max(...outcomes.map(({ makespan }) => makespan)) / ideal / seeds.length
  }
  return mean
}

export function printFairness(): void {
  console.log(
    `\nSeveral of ours on one limit, ${CALLS_EACH} calls each: Jain index / 429s in % / makespan over ideal\n`,
  )
  const cases = [3, 8]
  console.log(['limit'.padEnd(26), ...cases.map((peers) => String(peers).padStart(20))].join(''))
  for (const limit of limits) {
    const cells = cases.map((peers) => {
      const { jain: index, refused, makespan } = together(peers, limit)
      return `${index.toFixed(2)}/${refused.toFixed(1)}/${makespan.toFixed(2)}`.padStart(20)
    })
    console.log([limit.name.padEnd(26), ...cells].join(''))
  }
}
