// The rate limit of one organization: its rules, and the response headers.
import * as z from 'zod'
import { limitConfigSchema, makeLimit, type LimitStanding } from './models.ts'

type Headers = Record<string, string>
type NamedStanding = LimitStanding & { readonly name: string }

const seconds = (ms: number): number => Math.ceil(ms / 1000 - 1e-9)

const RETRY_AFTER_FORMS = ['none', 'seconds', 'date'] as const
type RetryAfterForm = (typeof RETRY_AFTER_FORMS)[number]

/** Makes `Retry-After` (RFC 9110, 10.2.3), rounded up so that a retry at that time is accepted. */
export function retryAfterHeader(form: RetryAfterForm, nextAt: number, now: number): Headers {
  if (form === 'none') return {}
  const date = new Date(seconds(nextAt) * 1000)
  return { 'retry-after': form === 'date' ? date.toUTCString() : String(Math.max(1, seconds(nextAt - now))) }
}

const HEADER_DIALECTS = ['ietf', 'ietf-03', 'x-ratelimit', 'x-ratelimit-delta'] as const
type HeaderDialect = (typeof HEADER_DIALECTS)[number]

const threeHeaders = (prefix: string, { limit, remaining }: LimitStanding, reset: number): Headers => ({
  [`${prefix}-limit`]: String(limit),
  [`${prefix}-remaining`]: String(remaining),
  [`${prefix}-reset`]: String(reset),
})

type Dialect = (standings: readonly NamedStanding[], tightest: NamedStanding, now: number) => Headers

const DIALECTS: Readonly<Record<HeaderDialect, Dialect>> = {
  /** Follows draft-ietf-httpapi-ratelimit-headers, structured fields. */
  ietf: (standings, _, now) => ({
    'ratelimit-policy': standings
      .map(({ name, limit, windowMs }) => `"${name}";q=${limit};w=${Math.max(1, seconds(windowMs))}`)
      .join(', '),
    ratelimit: standings
      .map(({ name, remaining, resetAt }) => `"${name}";r=${remaining};t=${seconds(resetAt - now)}`)
      .join(', '),
  }),
  /** Follows the draft's version 03. */
  'ietf-03': (_, tightest, now) => threeHeaders('ratelimit', tightest, seconds(tightest.resetAt - now)),
  'x-ratelimit': (_, tightest) => threeHeaders('x-ratelimit', tightest, seconds(tightest.resetAt)),
  'x-ratelimit-delta': (_, tightest, now) =>
    threeHeaders('x-ratelimit', tightest, seconds(tightest.resetAt - now)),
}

export function rateLimitHeaders(
  dialects: readonly HeaderDialect[],
  standings: readonly NamedStanding[],
  now: number,
): Headers {
  const share = ({ remaining, limit }: LimitStanding): number => remaining / limit
  const [tightest] = standings.toSorted((a, b) => share(a) - share(b) || b.resetAt - a.resetAt)
  if (tightest === undefined) return {}
  return Object.fromEntries(
    dialects.flatMap((dialect) => Object.entries(DIALECTS[dialect](standings, tightest, now))),
  )
}

export const rateLimitSchema = z.strictObject({
  /** Must all allow a call. A refused call counts toward none. */
  rules: z.array(limitConfigSchema),
  retryAfter: z.enum(RETRY_AFTER_FORMS).default('seconds'),
  headers: z.array(z.enum(HEADER_DIALECTS)).default([]),
})
export type RateLimitConfig = z.output<typeof rateLimitSchema>

export interface LimitVerdict {
  readonly allowed: boolean
  /** Is `now` if allowed, otherwise the earliest time at which the call would be allowed. */
  readonly nextAt: number
  readonly standings: readonly NamedStanding[]
}

export type LimitCheck = (now: number) => LimitVerdict

/** Counts calls against the rules. Times must not decrease from call to call. */
export function makeLimitCheck(rules: RateLimitConfig['rules']): LimitCheck {
  const limits = rules.map((rule, index) => ({
    name: rule.name ?? `${rule.kind}-${index + 1}`,
    limit: makeLimit(rule),
  }))
  return (now) => {
    const nextAt = Math.max(now, ...limits.map(({ limit }) => limit.nextAt(now)))
    const allowed = nextAt <= now
    if (allowed) for (const { limit } of limits) limit.spend(now)
    return { allowed, nextAt, standings: limits.map(({ limit, name }) => ({ ...limit.standing(now), name })) }
  }
}
