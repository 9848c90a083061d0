// The rate limit of one organization: its rules together, who else spends them, and what it says in headers.
import * as z from 'zod'
import { durationSchema, periodSchema, type Draw } from '../latency.ts'
import { type Limit, type LimitRule, limitRulesSchema, makeLimit, nameOf, type Standing } from './models.ts'

const RETRY_AFTER_FORMS = ['none', 'seconds', 'date'] as const
type RetryAfterForm = (typeof RETRY_AFTER_FORMS)[number]

/**
 * `ietf`: draft-ietf-httpapi-ratelimit-headers, structured fields. `ietf-03`: its older three headers.
 * `x-ratelimit`: reset as Unix seconds; `x-ratelimit-delta`: reset as seconds from now.
 */
const HEADER_DIALECTS = ['ietf', 'ietf-03', 'x-ratelimit', 'x-ratelimit-delta'] as const
type HeaderDialect = (typeof HEADER_DIALECTS)[number]

type Headers = Record<string, string>
type NamedStanding = Standing & { readonly name: string }

/** Rounded up, so that who comes back then is let in (RFC 9110, 10.2.3). */
export function retryAfterHeader(form: RetryAfterForm, nextAt: number, now: number): Headers {
  switch (form) {
    case 'none':
      return {}
    case 'seconds':
      return { 'retry-after': String(Math.max(1, seconds(nextAt - now))) }
    case 'date':
      return { 'retry-after': new Date(Math.max(1, seconds(nextAt)) * 1000).toUTCString() }
  }
}

export function rateLimitHeaders(
  dialects: readonly HeaderDialect[],
  standings: readonly NamedStanding[],
  now: number,
): Headers {
  const tightest = standings.toSorted(
    (one, other) => share(one) - share(other) || other.resetAt - one.resetAt,
  )[0]
  if (tightest === undefined) return {}
  return Object.assign(
    {},
    ...dialects.map((dialect) => inDialect(dialect, standings, tightest, now)),
  ) as Headers
}

function inDialect(
  dialect: HeaderDialect,
  standings: readonly NamedStanding[],
  tightest: NamedStanding,
  now: number,
): Headers {
  const remaining = String(tightest.remaining)
  const delta = String(seconds(tightest.resetAt - now))
  switch (dialect) {
    case 'ietf':
      return {
        'ratelimit-policy': standings
          .map(({ name, limit, windowMs }) => `"${name}";q=${limit};w=${Math.max(1, seconds(windowMs))}`)
          .join(', '),
        ratelimit: standings
          .map((one) => `"${one.name}";r=${one.remaining};t=${seconds(one.resetAt - now)}`)
          .join(', '),
      }
    case 'ietf-03':
      return {
        'ratelimit-limit': String(tightest.limit),
        'ratelimit-remaining': remaining,
        'ratelimit-reset': delta,
      }
    case 'x-ratelimit':
    case 'x-ratelimit-delta':
      return {
        'x-ratelimit-limit': String(tightest.limit),
        'x-ratelimit-remaining': remaining,
        'x-ratelimit-reset': dialect === 'x-ratelimit' ? String(seconds(tightest.resetAt)) : delta,
      }
  }
}

const share = ({ remaining, limit }: Standing): number => remaining / limit
const seconds = (ms: number): number => Math.ceil(ms / 1000 - 1e-9)

/** On average `calls` in each `window`, arriving at random (a Poisson process). */
const foreignTrafficSchema = z.strictObject({ calls: z.number().positive(), window: periodSchema })
type ForeignTraffic = z.output<typeof foreignTrafficSchema>

/**
 * Times of the foreign arrivals since the last asking, up to `now`. Those before `now - horizon` are left
 * out, since no limit remembers them: the process has no memory, so it may as well begin there.
 */
function foreignArrivals(traffic: ForeignTraffic, startedAt: number, draw: Draw, purpose: string) {
  const meanGap = traffic.window / traffic.calls
  let index = 0
  const gap = (): number => -Math.log(1 - draw(purpose, index++)) * meanGap
  let next = startedAt + gap()

  return function* until(now: number, horizon: number): Generator<number> {
    if (next < now - horizon) next = now - horizon + gap()
    for (; next <= now; next += gap()) yield next
  }
}

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
