// The rate limit of one organization: its rules together, who else spends them, and how they change.
import * as z from 'zod'
import { durationSchema } from '../duration.ts'
import type { Draw } from '../random.ts'
import { foreignArrivals, foreignTrafficSchema } from './foreign-traffic.ts'
import { HEADER_DIALECTS, RETRY_AFTER_FORMS } from './headers.ts'
import { makeLimit } from './make-limit.ts'
import { limitRulesSchema, nameOf, type Limit, type LimitRule, type Standing } from './rule.ts'

const rules = limitRulesSchema

export const rateLimitSchema = z.strictObject({
  /** All of them must allow a call; a refused call spends none. */
  rules,
  retryAfter: z.enum(RETRY_AFTER_FORMS).default('seconds'),
  headers: z.array(z.enum(HEADER_DIALECTS)).default([]),
  foreignTraffic: foreignTrafficSchema.optional(),
  /** Other rules from a time on, counted from the start of the sandbox. They start with nothing spent. */
  changes: z.array(z.strictObject({ after: durationSchema, rules })).default([]),
})
export type RateLimitConfig = z.output<typeof rateLimitSchema>

export interface LimitVerdict {
  readonly allowed: boolean
  /** `now` where allowed; else when the call would be, as far as is known now. */
  readonly nextAt: number
  readonly standings: readonly (Standing & { readonly name: string })[]
}

export type Limiter = (now: number) => LimitVerdict

/** `organization` keeps the foreign traffic of two organizations apart. */
export function makeLimiter(
  config: RateLimitConfig,
  startedAt: number,
  draw: Draw,
  organization: string,
): Limiter {
  const phases = [{ after: 0, rules: config.rules }, ...config.changes]
    .sort((one, other) => one.after - other.after)
    .map((phase) => ({ from: startedAt + phase.after, rules: phase.rules }))
  const foreignUntil =
    config.foreignTraffic &&
    foreignArrivals(config.foreignTraffic, startedAt, draw, `foreign:${organization}`)
  let phase = phases[0]
  let limits = makeLimits(phase?.rules ?? [])

  const turnTo = (now: number): void => {
    const current = phases.findLast((one) => one.from <= now) ?? phases[0]
    if (current === phase) return
    phase = current
    limits = makeLimits(current?.rules ?? [])
  }
  const take = (now: number): number => {
    turnTo(now)
    const nextAt = Math.max(now, ...limits.map(({ limit }) => limit.nextAt(now)))
    if (nextAt <= now) for (const { limit } of limits) limit.spend(now)
    return nextAt
  }

  /** Others are served before us, as if they had queued; but nobody queues for longer than a window. */
  const yieldTo = (time: number): void => {
    turnTo(time)
    for (const { limit, memoryMs } of limits) if (limit.nextAt(time) <= time + memoryMs) limit.spend(time)
  }

  return (now) => {
    if (foreignUntil) for (const time of foreignUntil(now, longestMemory(limits))) yieldTo(time)
    const nextAt = take(now)
    const standings = limits.map(({ limit, name }) => ({ ...limit.standing(now), name }))
    return { allowed: nextAt <= now, nextAt, standings }
  }
}

interface NamedLimit {
  readonly name: string
  readonly limit: Limit
  readonly memoryMs: number
}

function makeLimits(wanted: readonly LimitRule[]): NamedLimit[] {
  return wanted.map((rule, index) => ({
    name: nameOf(rule, index),
    limit: makeLimit(rule),
    memoryMs: rule.window * ('burst' in rule ? Math.max(1, (rule.burst ?? 1) / rule.limit) : 1),
  }))
}

const longestMemory = (limits: readonly NamedLimit[]): number =>
  2 * Math.max(1000, ...limits.map(({ memoryMs }) => memoryMs))
