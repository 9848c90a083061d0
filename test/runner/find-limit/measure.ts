// Searches limiters of the sandbox with several seeds, and holds what is found against the truth.
import { inferLimit } from '../../../src/analysis/limit/infer.ts'
import type { Estimate, LimitFinding } from '../../../src/domain/limit.ts'
import { makeLimiter, rateLimitSchema } from '../../../src/sandbox/limits/limiter.ts'
import { seededDraw } from '../../../src/sandbox/latency.ts'
import { seededRandom } from '../../../src/stats/random.ts'
import { search } from './search.ts'
import { makeWorld } from './world.ts'

const RATE_WITHIN = 5
const SIZE_WITHIN = 20

export interface Scenario {
  readonly rule: object
  readonly perSecond: number
  readonly windowMs?: number
  readonly burst: number
}

/** Limits of the sandbox are whole numbers: a rate is so many in so long. */
const perWindow = (perSecond: number) => ({ limit: 1000, window: `${1_000_000 / perSecond}ms` })

export const scenarios: Readonly<Record<string, Scenario>> = {
  '20 in 2 s': {
    rule: { kind: 'fixed-window', limit: 20, window: '2s' },
    perSecond: 10,
    windowMs: 2000,
    burst: 20,
  },
  '8 in any second': {
    rule: { kind: 'sliding-window', limit: 8, window: '1s' },
    perSecond: 8,
    windowMs: 1000,
    burst: 8,
  },
  'a bucket of 10, 5 a second': {
    rule: { ...perWindow(5), kind: 'token-bucket', burst: 10 },
    perSecond: 5,
    burst: 10,
  },
  'evenly 8 a second, 4 at once': {
    rule: { ...perWindow(8), kind: 'gcra', burst: 4 },
    perSecond: 8,
    burst: 4,
  },
}

/** Through the sandbox's own limiter. */
export function searchOnce({ rule }: Scenario, seed: number): LimitFinding {
  const random = seededRandom(seed)
  const network = { leastMs: 10, jitterMs: 15, medianMs: 800, sigma: 0.5, random }
  // The world draws its start first.
  const startedAt = 1_767_225_600_000 + Math.floor(random() * 86_400_000)
  const limiter = makeLimiter(rateLimitSchema.parse({ rules: [rule] }), startedAt, seededDraw(seed), 'test')
  const server = {
    arrive: (now: number) => ({ admitted: limiter(now).allowed, headers: {} }),
    finish: () => undefined,
    nextAt: (now: number) => now,
  }
  const world = makeWorld(server, network, startedAt)
  const limits = { budget: 600, maxMs: 3_600_000, maxInFlight: 32, maxPerSecond: 40, watchMs: 60_000 }
  return search(
    { ...limits, judge: (calls) => inferLimit(calls, world.wallAtZero, { mayChange: false }) },
    world,
  ).finding
}

/** Rate within 5 %, window and burst within 20 %. */
export function isRight(finding: LimitFinding, { perSecond, windowMs, burst }: Scenario): boolean {
  const within = (found: Estimate | null, wanted: number | undefined, percent: number): boolean =>
    wanted === undefined || (found !== null && Math.abs(found.value / wanted - 1) * 100 <= percent)
  return (
    within(finding.sustainedPerSecond, perSecond, RATE_WITHIN) &&
    within(finding.windowMs, windowMs, SIZE_WITHIN) &&
    within(finding.burst, burst, SIZE_WITHIN)
  )
}
