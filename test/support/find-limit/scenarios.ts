// Limiters to find, with what is true of them: those of the sandbox, through its own limiter, and some that it lacks.
import type { LimitKind } from '../../../src/domain/limit-finding.ts'
import { rateLimitSchema, makeLimiter } from '../../../src/sandbox/limits/limiter.ts'
import { seededDraw } from '../../../src/sandbox/random.ts'
import * as servers from '../../bench/pacing/servers.ts'
import type { Server } from '../../bench/pacing/servers.ts'

/** What the search should say; undefined where a figure does not apply. */
export interface Truth {
  readonly kind: LimitKind
  readonly perSecond?: number
  readonly windowMs?: number
  readonly burst?: number
  readonly atOnce?: number
  readonly foreignPerSecond?: number
}

export interface Scenario {
  readonly name: string
  readonly truth: Truth
  readonly budget: number
  /** `startedAt`: milliseconds since the Unix epoch. */
  readonly make: (seed: number, startedAt: number) => Server
  /** As the sandbox's config file has it, where the sandbox has it. */
  readonly config?: object
}

/** Through the sandbox's own limiter, its config and its foreign traffic. */
export function ofSandbox(name: string, budget: number, truth: Truth, config: object): Scenario {
  const parsed = rateLimitSchema.parse(config)
  const make = (seed: number, startedAt: number): Server => {
    const limiter = makeLimiter(parsed, startedAt, seededDraw(seed), 'bench')
    return {
      arrive: (now) => ({ admitted: limiter(now).allowed, headers: {} }),
      finish: () => undefined,
      nextAt: (now) => now,
    }
  }
  return { name, budget, truth, make, config }
}

const other = (name: string, budget: number, truth: Truth, make: () => Server): Scenario => ({
  name,
  budget,
  truth,
  make,
})

export const fixedWindow = (limit: number, seconds: number, budget: number, more: object = {}): Scenario =>
  ofSandbox(
    `fixed window ${limit}/${seconds}s`,
    budget,
    { kind: 'fixed-window', perSecond: limit / seconds, windowMs: seconds * 1000, burst: limit },
    { rules: [{ kind: 'fixed-window', limit, window: `${seconds}s` }], ...more },
  )
export const slidingWindow = (limit: number, seconds: number, budget: number, more: object = {}): Scenario =>
  ofSandbox(
    `sliding window ${limit}/${seconds}s`,
    budget,
    { kind: 'sliding-window', perSecond: limit / seconds, windowMs: seconds * 1000, burst: limit },
    { rules: [{ kind: 'sliding-window', limit, window: `${seconds}s` }], ...more },
  )
export const tokenBucket = (perSecond: number, burst: number, budget: number, more: object = {}): Scenario =>
  ofSandbox(
    `token bucket ${perSecond}/s, burst ${burst}`,
    budget,
    { kind: 'token-bucket', perSecond, burst },
    { rules: [{ ...perWindow(perSecond), kind: 'token-bucket', burst }], ...more },
  )
export const gcra = (perSecond: number, burst: number, budget: number, more: object = {}): Scenario =>
  ofSandbox(
    `GCRA ${perSecond}/s, burst ${burst}`,
    budget,
    { kind: 'token-bucket', perSecond, burst },
    { rules: [{ ...perWindow(perSecond), kind: 'gcra', burst }], ...more },
  )

/** Limits of the sandbox are whole numbers: a rate is so many in so long. */
const perWindow = (perSecond: number) => ({ limit: 1000, window: `${1_000_000 / perSecond}ms` })

export const withForeign = (scenario: Scenario, perSecond: number): Scenario => {
  const traffic = { foreignTraffic: { calls: perSecond * 60, window: '60s' } }
  return ofSandbox(
    `${scenario.name}, others ${perSecond}/s`,
    scenario.budget,
    { ...scenario.truth, foreignPerSecond: perSecond },
    { ...scenario.config, ...traffic },
  )
}

const twoTiers = (
  slow: readonly [number, number],
  fast: readonly [number, number],
  budget: number,
): Scenario =>
  ofSandbox(
    `${fast[0]}/${fast[1]}s and ${slow[0]}/${slow[1]}s`,
    budget,
    { kind: 'fixed-window', perSecond: slow[0] / slow[1], windowMs: slow[1] * 1000, burst: slow[0] },
    {
      rules: [fast, slow].map(([limit, seconds]) => ({ kind: 'fixed-window', limit, window: `${seconds}s` })),
    },
  )

/** Those shown in the table. */
export const scenarios: readonly Scenario[] = [
  fixedWindow(60, 60, 600),
  fixedWindow(10, 1, 600),
  fixedWindow(20, 2, 600),
  fixedWindow(90, 30, 600),
  fixedWindow(47, 13, 600),
  fixedWindow(300, 60, 1500),
  slidingWindow(60, 60, 600),
  slidingWindow(40, 10, 600),
  slidingWindow(8, 1, 600),
  tokenBucket(1, 20, 600),
  tokenBucket(1, 60, 600),
  tokenBucket(5, 10, 600),
  tokenBucket(3, 60, 600),
  gcra(8, 4, 600),
  gcra(2, 1, 600),
  gcra(1, 10, 600),
  twoTiers([200, 60], [10, 1], 1200),
  twoTiers([100, 60], [5, 1], 1200),
  withForeign(fixedWindow(60, 60, 1000), 0.25),
  withForeign(fixedWindow(40, 10, 1000), 1),
  withForeign(fixedWindow(40, 10, 1000), 2),
  withForeign(slidingWindow(40, 10, 1000), 1),
  withForeign(tokenBucket(5, 10, 1000), 1),
  withForeign(gcra(4, 8, 1000), 1),
  other(
    'sliding counter 60/60s',
    600,
    { kind: 'sliding-window', perSecond: 1, windowMs: 60_000, burst: 60 },
    () => servers.limited([servers.slidingCounter(60, 60)]),
  ),
  other(
    'log 40/10s, refused count',
    600,
    { kind: 'sliding-window', perSecond: 4, windowMs: 10_000, burst: 40 },
    () => servers.slidingWithRejects(40, 10),
  ),
  other('5 at once', 600, { kind: 'concurrency', atOnce: 5 }, () => servers.concurrent(5)),
  other('12 at once', 600, { kind: 'concurrency', atOnce: 12 }, () => servers.concurrent(12)),
]
