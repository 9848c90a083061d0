// Protects how rate-limit headers of every dialect are read, and that malformed ones are ignored.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Hints, rateOf, readHints, retryAfterMs } from '../../src/pace/observation.ts'
import { readRows } from '../support/rows.ts'

const wall = Date.UTC(2026, 10, 20, 12, 0, 0)
const none: Hints = {
  namedMs: undefined,
  resetMs: undefined,
  policies: [],
  remaining: new Map(),
  concurrent: undefined,
}

type Stated = Partial<Omit<Hints, 'remaining'>> & { readonly remaining?: Readonly<Record<string, number>> }

// draft-ietf-httpapi-ratelimit-headers: the tightest policy sets the pace, a daily allowance none.
test.each(readRows<[string, Record<string, string>, Stated]>(new URL('hints.ndjson', import.meta.url)))(
  'reads %s',
  (_, headers, { remaining = {}, ...stated }) => {
    expect(readHints(headers, wall)).toEqual({
      ...none,
      ...stated,
      remaining: new Map(Object.entries(remaining)),
    })
  },
)

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

test.each(
  readRows<[string, Record<string, string>, number | null]>(new URL('retry-after.ndjson', import.meta.url)),
)('Retry-After: %s', (_, headers, expected) => {
  expect(retryAfterMs(headers, wall) ?? null).toBe(expected)
})
