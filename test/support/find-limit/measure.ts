// Searches one limiter with several seeds, and holds what is found against the truth.
import { inferLimit } from '../../../src/analysis/limit/infer.ts'
import type { Estimate, LimitFinding } from '../../../src/domain/limit-finding.ts'
import { seededRandom } from '../../../src/stats/random.ts'
import type { Scenario, Truth } from './scenarios.ts'
import { search, type Searched } from './search.ts'
import { makeWorld } from './world.ts'

export const RATE_WITHIN = 5
export const SIZE_WITHIN = 20

export interface Errors {
  /** In %, signed; undefined where the truth has no such figure. */
  readonly perSecond: number | undefined
  readonly windowMs: number | undefined
  readonly burst: number | undefined
  readonly kindIsRight: boolean
  readonly isWithin: boolean
  /** The truth lies in every interval given. */
  readonly isCovered: boolean
}

export function searchOnce(scenario: Scenario, seed: number): Searched & { judgeMs: number } {
  const random = seededRandom(seed)
  const network = { leastMs: 10, jitterMs: 15, medianMs: 800, sigma: 0.5, random }
  // The world draws its start first: the server's foreign traffic begins there.
  const startedAt = 1_767_225_600_000 + Math.floor(random() * 86_400_000)
  const world = makeWorld(scenario.make(seed, startedAt), network, startedAt)
  let judgeMs = 0
  const judge = (calls: Parameters<typeof inferLimit>[0]): LimitFinding => {
    const began = performance.now()
    const finding = inferLimit(calls, world.wallAtZero, { mayChange: false })
    judgeMs = Math.max(judgeMs, performance.now() - began)
    return finding
  }
  const limits = { maxMs: 3_600_000, maxInFlight: 32, maxPerSecond: 40, watchMs: 60_000 }
  return { ...search({ ...limits, budget: scenario.budget, judge }, world), judgeMs }
}

export function errorsOf(finding: LimitFinding, truth: Truth): Errors {
  const error = (found: Estimate | null, wanted: number | undefined): number | undefined =>
    wanted === undefined ? undefined : found === null ? Infinity : (found.value / wanted - 1) * 100
  const size = truth.atOnce === undefined ? finding.burst : finding.atOnce
  const perSecond = error(finding.sustainedPerSecond, truth.perSecond)
  const windowMs = error(finding.windowMs, truth.windowMs)
  const burst = error(size, truth.atOnce ?? truth.burst)
  const within = (one: number | undefined, most: number): boolean =>
    one === undefined || Math.abs(one) <= most
  const covers = (found: Estimate | null, wanted: number | undefined): boolean =>
    wanted === undefined ||
    (found !== null && found.low <= wanted * 1.0001 && (found.high ?? Infinity) >= wanted * 0.9999)
  return {
    perSecond,
    windowMs,
    burst,
    kindIsRight: finding.kind === truth.kind,
    isWithin: within(perSecond, RATE_WITHIN) && within(windowMs, SIZE_WITHIN) && within(burst, SIZE_WITHIN),
    isCovered:
      covers(finding.sustainedPerSecond, truth.perSecond) && covers(finding.windowMs, truth.windowMs),
  }
}
