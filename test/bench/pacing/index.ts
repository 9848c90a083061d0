// `npm run bench -- pacing [calls]`: our pace in virtual time on the limits of scenarios.ts: the share of the sustained
// rate and the 429s, in percent, with the rate unknown and known; then the means of the classes beside their goal, and
// the limits of pacing-http. `PACING_SEEDS=501-516` takes other seeds; the policy was tuned on 1 to 99 and 501 to 599.
import { seededRandom } from '../../../src/stats/random.ts'
import { FAST, JITTER_MS, type Shape, shapes } from './fast.ts'
import { goalOf, isReached } from '../goals.ts'
import { ours } from './ours.ts'
import { scenarios } from './scenarios.ts'
import { alwaysRetryAfter, fixed, limited, type Server } from './servers.ts'
import { type Contender, type Load, simulate } from './simulate.ts'

const [firstSeed = 0, lastSeed = 0] = (process.env['PACING_SEEDS'] ?? '301-306').split('-').map(Number)
const seeds = Array.from({ length: lastSeed - firstSeed + 1 }, (_, index) => firstSeed + index)
const calls = Number(process.argv[2] ?? 1000)
const SLOW = { medianMs: 2000, sigma: 0.6, cap: 64 }
const MEAN_MS = SLOW.medianMs * Math.exp(SLOW.sigma ** 2 / 2)

interface Figures {
  readonly share: number
  readonly refused: number
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
const meanOf = (figures: readonly Figures[]): Figures => ({
  // A burst may give more than 100 %, which counts as 100 %.
  share: mean(figures.map(({ share }) => Math.min(share, 100))),
  refused: mean(figures.map(({ refused }) => refused)),
})
const format = (figures: Figures | undefined): string =>
  (figures === undefined ? '–' : `${figures.share.toFixed(1)} / ${figures.refused.toFixed(2)}`).padStart(16)

/** Sends evenly at a rate, like a plain `minTime`: on no limit, the time that a rate needs. */
function even(perSecond: number): Contender {
  let nextAt = 0
  return {
    nextSendAt: (now) => Math.max(now, nextAt),
    onSend: (at, inFlight) => {
      nextAt = Math.max(nextAt, at) + 1000 / perSecond
      return { number: 0, at, inFlight }
    },
    onAnswer: () => undefined,
  }
}

/** `more`: the load beside the usual one, and the jitter of its network. */
function measure(
  make: (random: () => number) => Server,
  perSecond: number,
  known?: number,
  more: Partial<Load> = {},
  jitterMs?: number,
): Figures {
  const runs = seeds.map((seed) => {
    const load = () => ({ calls, ...SLOW, ...more, random: seededRandom(seed) })
    const ideal = simulate(even(perSecond), limited([]), load(), jitterMs).makespan
    const client = ours(seededRandom(1000 + seed), { known })
    const { makespan, refused, attempts } = simulate(
      client,
      make(seededRandom(2000 + seed)),
      load(),
      jitterMs,
    )
    return { share: (ideal / makespan) * 100, refused: (refused / attempts) * 100 }
  })
  return { share: mean(runs.map(({ share }) => share)), refused: mean(runs.map(({ refused }) => refused)) }
}

console.log(`share / 429s, in %; ${calls} calls, ${seeds.length} seeds (* not used for tuning)\n`)
console.log(`${' '.repeat(34)}${'rate unknown'.padStart(16)}${'known'.padStart(16)}`)
const measured = scenarios.map(({ name, kind, make, sustained, known, hidden = false }) => {
  const rate = sustained(calls, MEAN_MS)
  const auto = measure(make, rate)
  const withRate = known === undefined ? undefined : measure(make, rate, known)
  console.log(`${`${name}${hidden ? ' *' : ''}`.padEnd(34)}${format(auto)}${format(withRate)}`)
  return { kind, auto }
})
console.log(`\nclasses, rate unknown: goal ${goalOf('pace')}, ${goalOf('refused')} 429s\n`)
for (const kind of new Set(scenarios.map((scenario) => scenario.kind))) {
  const figures = meanOf(measured.flatMap((one) => (one.kind === kind ? [one.auto] : [])))
  const isGood = isReached('pace', figures.share) && isReached('refused', figures.refused)
  console.log(`${kind.padEnd(34)}${format(figures)}  ${isGood ? 'reached' : 'missed'}`)
}
console.log('\nfast answers: goal\n')
const more: readonly Shape[] = [
  ['fixed window 100/20s', 5, 400, 'ofTheClock', () => limited([fixed(100, 20)])],
  ['60/20s, always Retry-After: 1', 3, 400, 'oneSecond', () => limited([fixed(60, 20)], alwaysRetryAfter(1))],
]
for (const [name, perSecond, count, goal, make] of [...shapes, ...more])
  console.log(
    `${name.padEnd(34)}${format(measure(make, perSecond, undefined, { ...FAST, calls: count }, JITTER_MS))}` +
      (goal === undefined ? '' : goalOf(goal)).padStart(16),
  )
