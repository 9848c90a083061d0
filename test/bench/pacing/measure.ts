// Measures a client on a scenario over all seeds.
import { seededRandom } from '../../../src/stats/random.ts'
import type { Measured } from './goals.ts'
import { even } from './peers.ts'
import { scenarios, type Scenario, type ScenarioClass } from './scenarios.ts'
import { limited } from './servers.ts'
import { type Contender, type Load, simulate } from './simulate.ts'

export type Column = (scenario: Scenario, random: () => number) => Contender | undefined

/**
 * Tune on seeds 1 to 99 and 501 to 599 (`PACING_SEEDS=501-516`), on which the policy was tuned. Reported figures use other seeds.
 */
const [firstSeed = 0, lastSeed = 0] = (process.env['PACING_SEEDS'] ?? '301-306').split('-').map(Number)
export const seeds = Array.from({ length: lastSeed - firstSeed + 1 }, (_, place) => firstSeed + place)

const MEDIAN_MS = 2000
const SIGMA = 0.6
const MEAN_MS = MEDIAN_MS * Math.exp(SIGMA ** 2 / 2)

export const loadOf = (calls: number, seed: number): Load => ({
  calls,
  random: seededRandom(seed),
  medianMs: MEDIAN_MS,
  sigma: SIGMA,
  cap: 64,
})

/** Number of simulated runs so far. */
export const count = { runs: 0 }

const ideals = new Map<string, number>()

/** The time that a client needs which sends evenly at the sustained rate. */
function idealOf(scenario: Scenario, calls: number, seed: number): number {
  const key = `${scenario.name}|${calls}|${seed}`
  const known = ideals.get(key)
  if (known !== undefined) return known
  const pace = even(scenario.sustained(calls, MEAN_MS))
  const ideal = simulate(pace, limited([]), loadOf(calls, seed)).makespan
  count.runs += 1
  ideals.set(key, ideal)
  return ideal
}

export function measure(scenario: Scenario, column: Column, calls: number): Measured | undefined {
  const total = { share: 0, refused: 0, asked: 0, admitted: 0 }
  for (const seed of seeds) {
    const contender = column(scenario, seededRandom(1000 + seed))
    if (contender === undefined) return undefined
    const server = scenario.make(seededRandom(2000 + seed))
    const ideal = idealOf(scenario, calls, seed)
    const ours = simulate(contender, server, loadOf(calls, seed))
    count.runs += 1
    total.share += ((ideal / ours.makespan) * 100) / seeds.length
    total.refused += ((ours.refused / ours.attempts) * 100) / seeds.length
    total.asked += server.others?.asked ?? 0
    total.admitted += server.others?.admitted ?? 0
  }
  const { share, refused } = total
  return {
    share,
    refused,
    others: total.asked === 0 ? undefined : (total.admitted / total.asked) * 100,
  }
}

export function classMean(kind: ScenarioClass, column: Column, calls: number): Measured | undefined {
  const measured = scenarios
    .filter((scenario) => scenario.kind === kind)
    .flatMap((scenario) => measure(scenario, column, calls) ?? [])
  if (measured.length === 0) return undefined
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, one) => sum + one, 0) / values.length
  const others = measured.flatMap((one) => one.others ?? [])
  return {
    // A burst may give more than 100 %, which counts as 100 %.
    share: mean(measured.map(({ share }) => Math.min(share, 100))),
    refused: mean(measured.map(({ refused }) => refused)),
    others: others.length === 0 ? undefined : mean(others),
  }
}
