// What a limit says in headers, dialect by dialect.
import { describe, expect, test } from 'vitest'
import { rateLimitHeaders, retryAfterHeader } from '../../../src/sandbox/limits/limiter.ts'

const NOW = Date.UTC(2026, 0, 1)
const burst = { name: 'burst', limit: 10, windowMs: 1000, remaining: 4, resetAt: NOW + 300 }
const minute = { name: 'minute', limit: 200, windowMs: 60_000, remaining: 20, resetAt: NOW + 41_200 }

describe('rate limit headers', () => {
  test.each([
    [
      'ietf',
      {
        'ratelimit-policy': '"burst";q=10;w=1, "minute";q=200;w=60',
        ratelimit: '"burst";r=4;t=1, "minute";r=20;t=42',
      },
    ],
    ['ietf-03', { 'ratelimit-limit': '200', 'ratelimit-remaining': '20', 'ratelimit-reset': '42' }],
    [
      'x-ratelimit',
      {
        'x-ratelimit-limit': '200',
        'x-ratelimit-remaining': '20',
        'x-ratelimit-reset': String(NOW / 1000 + 42),
      },
    ],
    [
      'x-ratelimit-delta',
      { 'x-ratelimit-limit': '200', 'x-ratelimit-remaining': '20', 'x-ratelimit-reset': '42' },
    ],
  ] as const)('%s tells the tightest rule', (dialect, expected) => {
    expect(rateLimitHeaders([dialect], [burst, minute], NOW)).toEqual(expected)
  })

  test('several dialects at once, or none', () => {
    expect(Object.keys(rateLimitHeaders(['ietf', 'x-ratelimit'], [burst], NOW))).toHaveLength(5)
    expect(rateLimitHeaders([], [burst], NOW)).toEqual({})
    expect(rateLimitHeaders(['ietf'], [], NOW)).toEqual({})
  })
})

describe('Retry-After', () => {
  test.each([
    ['none', 1500, {}],
    ['seconds', 1500, { 'retry-after': '2' }],
    ['seconds', 2000, { 'retry-after': '2' }],
    ['seconds', 1, { 'retry-after': '1' }],
    ['date', 1500, { 'retry-after': 'Thu, 01 Jan 2026 00:00:02 GMT' }],
  ] as const)('as %s, %i ms ahead', (form, ahead, expected) => {
    expect(retryAfterHeader(form, NOW + ahead, NOW)).toEqual(expected)
  })
})
