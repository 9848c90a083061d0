// Runs the classes of limits over seeds.
import { seededRandom } from '../../../src/stats/random.ts'
import type { LimitClass, Shape } from './classes.ts'
import { ours } from './ours.ts'
import { limited } from './servers.ts'
import { type Contender, type Load, simulate } from './simulate.ts'

const SLOW = { medianMs: 2000, sigma: 0.6, cap: 64 }

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

export const quantile = (values: readonly number[], q: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))] ?? Number.NaN

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

const ideals = new Map<string, ReturnType<typeof simulate>>()

export function measureShape(
  { make, sustained, known, load: changes }: Shape,
  seed: number,
  { calls: usual = 1000, isKnown = false },
) {
  const { jitterMs, calls = usual, ...rest } = changes
  const load = { ...SLOW, ...rest, calls }
  const perSecond = sustained(calls, load.medianMs * Math.exp(load.sigma ** 2 / 2))
  const play = (contender: Contender, server = limited([])) => {
    const seeded: Load = { ...load, random: seededRandom(seed) }
    return simulate(contender, server, seeded, jitterMs)
  }
  const key = JSON.stringify([perSecond, load, jitterMs, seed])
  const ideal = ideals.get(key) ?? play(even(perSecond))
  ideals.set(key, ideal)
  const client = ours(seededRandom(1000 + seed), { known: isKnown ? known : undefined })
  const { makespan, refused, attempts, lost, p95Ms } = play(client, make(seededRandom(2000 + seed)))
  const answered = (calls - lost) / calls
  return {
    /** Is in percent of a paced ideal; a burst may give more than 100, which counts as 100. */
    share: Math.min(100, (ideal.makespan / makespan) * answered * 100),
    refused: (refused / attempts) * 100,
    lost: (lost / calls) * 100,
    /** Is beside the one of calls sent one by one. */
    p95: p95Ms / ideal.p95Ms,
  }
}

export type Figures = ReturnType<typeof figuresOf>

export function figuresOf(runs: readonly ReturnType<typeof measureShape>[]) {
  const shares = runs.map(({ share }) => share)
  return {
    share: mean(shares),
    median: quantile(shares, 0.5),
    spread: [quantile(shares, 0.1), quantile(shares, 0.9)] as const,
    refused: mean(runs.map(({ refused }) => refused)),
    lost: mean(runs.map(({ lost }) => lost)),
    p95: quantile(
      runs.map(({ p95 }) => p95),
      0.5,
    ),
  }
}

export const isReached = ({ goal }: LimitClass, { share, refused, lost, p95 }: Figures): boolean =>
  share >= goal.share &&
  refused <= goal.refused &&
  p95 <= (goal.p95 ?? Infinity) &&
  lost <= (goal.lost ?? Infinity)
