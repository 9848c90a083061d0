// What a limit says in headers, in the dialects that services speak.
import type { Standing } from './rule.ts'

export const RETRY_AFTER_FORMS = ['none', 'seconds', 'date'] as const
export type RetryAfterForm = (typeof RETRY_AFTER_FORMS)[number]

/**
 * `ietf`: draft-ietf-httpapi-ratelimit-headers, structured fields. `ietf-03`: its older three headers.
 * `x-ratelimit`: reset as Unix seconds; `x-ratelimit-delta`: reset as seconds from now.
 */
export const HEADER_DIALECTS = ['ietf', 'ietf-03', 'x-ratelimit', 'x-ratelimit-delta'] as const
export type HeaderDialect = (typeof HEADER_DIALECTS)[number]

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
