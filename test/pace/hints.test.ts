// Protects how rate-limit headers of every dialect are read, and that malformed ones are ignored.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tooLong } from '../../src/domain/attempt.ts'
import { readHints, retryAfterMs, type Hints } from '../../src/pace/hints.ts'
import { rateOf } from '../../src/pace/stated.ts'

const wall = Date.UTC(2026, 10, 20, 12, 0, 0)
const none: Hints = {
  namedMs: undefined,
  resetMs: undefined,
  policies: [],
  remaining: new Map(),
  concurrent: undefined,
}

const states = (calls: number, seconds: number, name = '') => ({ policies: [{ name, calls, seconds }] })
const remains = (...entries: [string, number][]) => ({ remaining: new Map(entries) })
const policy = (field: string) => ({ 'ratelimit-policy': field })
const resets = (resetMs: number) => ({ resetMs, ...remains(['', 0]) })
/** Headers with nothing remaining until the reset. */
const reset = (field: string) => ({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': field })

test.each<[string, Record<string, string>, Partial<Hints>]>([
  ['nothing', {}, {}],
  ['Retry-After', { 'retry-after': '7' }, { namedMs: 7000 }],
  // draft-ietf-httpapi-ratelimit-headers: the tightest policy sets the pace; a daily allowance is a budget, not a pace.
  ['policies', policy('"burst";q=100;w=60,"daily";q=1000;w=86400'), states(100, 60, 'burst')],
  [
    'two policies',
    policy('"a";q=10;w=1, "b";q=200;w=60'),
    { policies: [...states(10, 1, 'a').policies, ...states(200, 60, 'b').policies] },
  ],
  ['a policy of bytes', policy('"a";q=65535;qu="content-bytes";w=10'), {}],
  ['a policy of calls at once', policy('"a";q=8;qu="concurrent-requests"'), { concurrent: 8 }],
  ['a policy with a partition key', policy('"a";q=60;w=60;pk=:YWJj:'), states(60, 60, 'a')],
  ['an older policy, a token', policy('default;q=100;w=10'), states(100, 10, 'default')],
  ['an older policy, a number', policy('100;w=60'), states(100, 60)],
  [
    'the oldest policy',
    { 'ratelimit-limit': '100, 100;w=60, 5000;w=3600' },
    { policies: [...states(100, 60).policies, ...states(5000, 3600).policies] },
  ],
  ['a limit without its window', { 'ratelimit-limit': '100' }, {}],
  ['what is left', { ratelimit: '"burst";r=50;t=30' }, remains(['burst', 50])],
  ['that nothing is left', { ratelimit: '"burst";r=0;t=30' }, { resetMs: 30_000, ...remains(['burst', 0]) }],
  [
    'that nothing is left of two',
    { ratelimit: '"a";r=0;t=30, "b";r=0;t=90' },
    { resetMs: 90_000, ...remains(['a', 0], ['b', 0]) },
  ],
  ['older fields', { 'ratelimit-remaining': '0', 'ratelimit-reset': '12' }, resets(12_000)],
  [
    'older fields with something left',
    { 'ratelimit-remaining': '3', 'ratelimit-reset': '12' },
    remains(['', 3]),
  ],
  ['one older field', { ratelimit: 'limit=100, remaining=42, reset=12' }, remains(['100', 42])],
  [
    'one older field with nothing left',
    { ratelimit: 'limit=9, remaining=0, reset=12' },
    { resetMs: 12_000, ...remains(['9', 0]) },
  ],
  ['x- fields', { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '42' }, remains(['100', 42])],
  ['x- seconds', reset('12.5'), resets(12_500)],
  ['x- Unix seconds', reset(`${wall / 1000 + 9}`), resets(9000)],
  ['x- Unix milliseconds', reset(`${wall + 900}`), resets(900)],
  [
    'x- Unix seconds by the Date of the answer, whose clock is an hour ahead',
    { ...reset(`${wall / 1000 + 3609}`), date: 'Fri, 20 Nov 2026 13:00:00 GMT' },
    resets(9000),
  ],
  [
    'x- Unix milliseconds by a Date an hour behind',
    { ...reset(`${wall - 3_599_100}`), date: 'Fri, 20 Nov 2026 11:00:00 GMT' },
    resets(900),
  ],
  [
    'x- a date by a Date an hour behind',
    { ...reset('Fri, 20 Nov 2026 11:00:05 GMT'), date: 'Fri, 20 Nov 2026 11:00:00 GMT' },
    resets(5000),
  ],
  [
    'x- fields of requests, not of tokens',
    {
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '6m0s',
      'x-ratelimit-remaining-tokens': '9',
      'x-ratelimit-reset-tokens': '1h',
    },
    { resetMs: 360_000, ...remains(['60', 0]) },
  ],
  ...(
    [
      ['120ms', 120],
      ['1s', 1000],
      ['7', 7000],
      [`${wall / 1000 + 9}`, 9000],
    ] as const
  ).map(([field, ms]): [string, Record<string, string>, Partial<Hints>] => [
    `a reset of requests, ${field}`,
    { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': field },
    resets(ms),
  ]),
  ['a header that was too long', policy(tooLong(5000)), {}],
  ['a reset sent twice', { 'x-ratelimit-remaining': '7, 0', 'x-ratelimit-reset': '5, 12' }, resets(12_000)],
  ['x- a duration', reset('1m30s'), resets(90_000)],
  ['x- milliseconds', reset('250ms'), resets(250)],
  ['x- an ISO date', reset('2026-11-20T12:00:05Z'), resets(5000)],
  ['a reset in the past', reset(`${wall / 1000 - 9}`), resets(0)],
  ['a malformed list', policy('"a";q=10;;w=1'), {}],
  ['a quota of nothing', policy('"a";q=0;w=60'), {}],
  ['a negative window', policy('"a";q=10;w=-60'), {}],
  ['an inner list', policy('("a" "b");q=10;w=60'), {}],
  ['words for a reset', reset('soon'), remains(['', 0])],
])('reads %s', (_, headers, expected) => {
  expect(readHints(headers, wall)).toEqual({ ...none, ...expected })
})

test('no header makes it throw or gives a negative or infinite number', () => {
  const name = fc.constantFrom(
    'retry-after',
    'date',
    'ratelimit',
    'ratelimit-policy',
    'x-ratelimit-reset',
    'ratelimit-limit',
  )
  const value = fc.oneof(
    fc.string({ unit: 'grapheme-ascii' }),
    fc.string({
      unit: fc.constantFrom('"', 'a', ';', 'q', '=', 'w', '0', '9', ',', '-', '.', ' ', 't', 'r'),
    }),
  )
  fc.assert(
    fc.property(fc.dictionary(name, value), (headers) => {
      const hints = readHints({ 'x-ratelimit-remaining': '0', ...headers }, wall)
      const { policies, remaining, ...waits } = hints
      const numbers = [...Object.values(waits), ...remaining.values(), ...policies.map(rateOf)]
      for (const hint of numbers) {
        if (hint === undefined) continue
        expect(hint).toBeGreaterThanOrEqual(0)
        expect(hint).toBeLessThan(Infinity)
      }
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['seconds', { 'retry-after': '7' }, 7000],
  ['fractions of seconds', { 'retry-after': '0.5' }, 500],
  ['none', { 'retry-after': '0' }, 0],
  ['more than an hour', { 'retry-after': '86400' }, 86_400_000],
  ['a date against our clock', { 'retry-after': 'Fri, 20 Nov 2026 12:00:09 GMT' }, 9000],
  [
    'a date against the Date of the answer, whose clock is an hour behind',
    { 'retry-after': 'Fri, 20 Nov 2026 11:00:05 GMT', date: 'Fri, 20 Nov 2026 11:00:00 GMT' },
    5000,
  ],
  ['two values', { 'retry-after': '5, 10' }, 10_000],
  ['two values, one of them malformed', { 'retry-after': 'soon,5' }, 5000],
  ['a date and seconds', { 'retry-after': 'Fri, 20 Nov 2026 12:00:09 GMT, 7' }, 9000],
  ['seconds and a date', { 'retry-after': '7, Friday, 20-Nov-26 12:00:09 GMT' }, 9000],
  [
    'a date against a Date that was sent twice',
    {
      'retry-after': 'Fri, 20 Nov 2026 11:00:05 GMT',
      date: 'Fri, 20 Nov 2026 11:00:00 GMT, Fri, 20 Nov 2026 11:00:00 GMT',
    },
    5000,
  ],
  ['a date in the form of RFC 850', { 'retry-after': 'Friday, 20-Nov-26 12:00:03 GMT' }, 3000],
  ['a date in the form of asctime', { 'retry-after': 'Fri Nov 20 12:00:04 2026' }, 4000],
  ['a date that has passed', { 'retry-after': 'Fri, 20 Nov 2026 11:59:00 GMT' }, 0],
  ['nothing', {}, undefined],
  ['words', { 'retry-after': 'soon' }, undefined],
  ['a negative number', { 'retry-after': '-5' }, undefined],
  ['an exponent', { 'retry-after': '1e9' }, undefined],
  ['an empty value', { 'retry-after': '' }, undefined],
])('Retry-After: %s', (_, headers, expected) => {
  expect(retryAfterMs(headers as Record<string, string>, wall)).toBe(expected)
})
