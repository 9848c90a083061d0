// Protects an organization's limit and quota: several rules, headers, periods.
import { describe, expect, test } from 'vitest'
import {
  makeLimitCheck,
  rateLimitHeaders,
  rateLimitSchema,
  retryAfterHeader,
} from '../../../src/sandbox/limits/limiter.ts'
import { makeQuota, periodAround } from '../../../src/sandbox/limits/quota.ts'

const START = Date.UTC(2026, 0, 1)

test('of two rules a refused call uses up neither', () => {
  const take = makeLimitCheck(
    rateLimitSchema.parse({
      rules: [
        { kind: 'sliding-window', limit: 1, window: '1s' },
        { kind: 'sliding-window', limit: 3, window: '1h' },
      ],
    }).rules,
  )
  const allowed = Array.from({ length: 50 }, (_, index) => take(START + 10 * index).allowed)
  expect(allowed.filter(Boolean)).toHaveLength(1)
  expect(take(START + 999).standings.map((one) => one.remaining)).toEqual([0, 2])
})

describe('headers', () => {
  const burst = { name: 'burst', limit: 10, windowMs: 1000, remaining: 4, resetAt: START + 300 }
  const minute = { name: 'minute', limit: 200, windowMs: 60_000, remaining: 20, resetAt: START + 41_200 }
  const three = (prefix: string, reset: string) => ({
    [`${prefix}-limit`]: '200',
    [`${prefix}-remaining`]: '20',
    [`${prefix}-reset`]: reset,
  })

  test.each([
    [
      'ietf',
      {
        'ratelimit-policy': '"burst";q=10;w=1, "minute";q=200;w=60',
        ratelimit: '"burst";r=4;t=1, "minute";r=20;t=42',
      },
    ],
    ['ietf-03', three('ratelimit', '42')],
    ['x-ratelimit', three('x-ratelimit', String(START / 1000 + 42))],
    ['x-ratelimit-delta', three('x-ratelimit', '42')],
  ] as const)('%s headers report the tightest rule', (dialect, expected) => {
    expect(rateLimitHeaders([dialect], [burst, minute], START)).toEqual(expected)
  })

  test('of two used-up rules the headers report the one that resets later', () => {
    const usedUp = [burst, minute].map((rule) => ({ ...rule, remaining: 0 }))
    expect(rateLimitHeaders(['ietf-03'], usedUp, START)).toMatchObject({ 'ratelimit-reset': '42' })
  })

  test.each([
    ['none', 1500, undefined],
    ['seconds', 1500, '2'],
    ['seconds', 2000, '2'],
    ['seconds', 1, '1'],
    ['date', 1500, 'Thu, 01 Jan 2026 00:00:02 GMT'],
  ] as const)('Retry-After as %s, %i ms ahead', (form, ahead, expected) => {
    expect(retryAfterHeader(form, START + ahead, START)['retry-after']).toBe(expected)
  })
})

describe('quota', () => {
  const at = (time: string): number => Date.parse(`${time}Z`)

  test.each([
    ['minute', '2026-03-01T12:34:56', '2026-03-01T12:34', '2026-03-01T12:35'],
    ['hour', '2026-03-01T12:34:56', '2026-03-01T12:00', '2026-03-01T13:00'],
    ['day', '2026-03-01T23:59:59', '2026-03-01T00:00', '2026-03-02T00:00'],
    ['week', '2026-03-01T12:00', '2026-02-23T00:00', '2026-03-02T00:00'],
    ['week', '2026-03-02T00:00', '2026-03-02T00:00', '2026-03-09T00:00'],
    ['month', '2026-12-31T23:59', '2026-12-01T00:00', '2027-01-01T00:00'],
    ['month', '2028-02-29T12:00', '2028-02-01T00:00', '2028-03-01T00:00'],
  ] as const)('the %s of %s', (period, time, start, end) => {
    expect(periodAround(period, at(time))).toEqual({ start: at(start), end: at(end) })
  })

  test('allows its last call, and is full again in the next period', () => {
    const quota = makeQuota({ calls: 2, period: 'day' })
    const today = at('2026-03-01T10:00')
    quota.spend(today)
    expect(quota.check(today).isSpent).toBe(false)
    quota.spend(today)
    expect(quota.check(today)).toEqual({ isSpent: true, endsAt: at('2026-03-02T00:00') })
    expect(quota.check(at('2026-03-02T00:00')).isSpent).toBe(false)
  })
})
