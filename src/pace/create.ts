// Which gate, lane and policy an organization's limiter is made of.
import type { Clock } from '../domain/clock.ts'
import { createAdaptivePolicy } from './adaptive-policy.ts'
import { createGate } from './gate.ts'
import { createBottleneckLane, createDirectLane } from './lane.ts'
import type { Beginning } from './learned.ts'
import type { Limiter } from './limiter.ts'
import { createOpenGate } from './open-gate.ts'
import type { Policy } from './policy.ts'
import type { Rate } from './rate.ts'
import { createUnlimitedPolicy } from './unlimited-policy.ts'

/** Calls in flight where nobody says otherwise; the pace, not this, decides how many there are. */
export const AUTO_CONCURRENCY = 64
/** Above this Bottleneck itself would be the limit: it starts about 200 dependent jobs a second. */
const BOTTLENECK_UP_TO_PER_SECOND = 100

export interface LimiterOptions {
  readonly rate: Rate
  readonly concurrency: number | 'auto'
  /** Calls a second to begin with where the rate is `auto`. */
  readonly start?: number | undefined
  /** Part of the limit to use at most, above 0 and up to 1. */
  readonly share?: number | undefined
  /** What another policy has learned of this limit. */
  readonly beginning?: Beginning | undefined
}

/** `random`: uniform in [0, 1). */
export function createLimiter(options: LimiterOptions, clock: Clock, random: () => number): Limiter {
  const { rate, concurrency } = options
  const most = concurrency === 'auto' ? AUTO_CONCURRENCY : concurrency
  if (rate.kind === 'unlimited') return createOpenGate(createPolicy(options, random), most, clock)
  const direct = rate.kind === 'known' && rate.perSecond > BOTTLENECK_UP_TO_PER_SECOND
  const lane = direct ? createDirectLane() : createBottleneckLane(most)
  return createGate(createPolicy(options, random), lane, most, clock)
}

export function createPolicy(
  { rate, start, share = 1, beginning }: LimiterOptions,
  random: () => number,
): Policy {
  switch (rate.kind) {
    case 'unlimited':
      return createUnlimitedPolicy(random)
    case 'known':
      return createAdaptivePolicy({ known: rate.perSecond, share, random, beginning })
    case 'auto':
      return createAdaptivePolicy({ share, random, beginning, ...(start === undefined ? {} : { start }) })
  }
}
