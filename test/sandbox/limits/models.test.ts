// Each model of a limit as arithmetic: calls at these milliseconds, accepted or not, without waiting.
import { describe, expect, test } from 'vitest'
import { makeLimit, limitRuleSchema, type Limit } from '../../../src/sandbox/limits/models.ts'

const KINDS = ['fixed-window', 'sliding-window', 'token-bucket', 'gcra'] as const
type Kind = (typeof KINDS)[number]

const limit = (kind: Kind, calls: number, window: string, burst?: number): Limit =>
  makeLimit(limitRuleSchema.parse({ kind, limit: calls, window, ...(burst !== undefined && { burst }) }))

/** A limit that accepts as many calls at once whatever its kind. */
const even = (kind: Kind, calls: number): Limit =>
  limit(kind, calls, '1s', kind === 'gcra' ? calls : undefined)

/** Each call is tried at its time; gives when it would be accepted. */
function tryAt(made: Limit, times: readonly number[]): number[] {
  return times.map((time) => {
    const next = made.nextAt(time)
    if (next <= time) made.spend(time)
    return next
  })
}

/** Times of a client that comes back exactly when it is told to. */
function obey(made: Limit, calls: number): number[] {
  let now = 0
  return Array.from({ length: calls }, () => {
    now = made.nextAt(now)
    made.spend(now)
    return now
  })
}

test.each<[what: string, kind: Kind, burst: number | undefined, tried: number[], allowed: number[]]>([
  ['2 in each full second', 'fixed-window', undefined, [0, 999, 999, 1000], [0, 999, 1000, 1000]],
  [
    'a double load around the turn',
    'fixed-window',
    undefined,
    [900, 990, 1000, 1010],
    [900, 990, 1000, 1010],
  ],
  [
    'never more than 2 in any second',
    'sliding-window',
    undefined,
    [900, 990, 1000, 1900],
    [900, 990, 1900, 1900],
  ],
  [
    'one window later, to the millisecond',
    'sliding-window',
    undefined,
    [5, 5, 1004, 1005],
    [5, 5, 1005, 1005],
  ],
  ['a burst of 3, then one in 500 ms', 'token-bucket', 3, [0, 0, 0, 0, 499, 500], [0, 0, 0, 500, 500, 500]],
  ['holds no more than its burst', 'token-bucket', 1, [0, 60_000, 60_000], [0, 60_000, 60_500]],
  ['one in 500 ms, no burst', 'gcra', undefined, [0, 0, 499, 500, 1000], [0, 500, 500, 500, 1000]],
  ['3 at once, then evenly', 'gcra', 3, [0, 0, 0, 0, 500, 500], [0, 0, 0, 500, 500, 1000]],
])('%s: a %s of 2 a second', (_, kind, burst, tried, allowed) => {
  expect(tryAt(limit(kind, 2, '1s', burst), tried)).toEqual(allowed)
})

describe('a client that comes back when it is told to', () => {
  test.each([
    ['fixed-window', 7, [0, 0, 0, 0, 0, 0, 0, 1000]],
    ['sliding-window', 2, [0, 0, 1000, 1000, 2000, 2000]],
    ['token-bucket', 4, [0, 0, 0, 0, 250, 500, 750, 1000]],
    ['gcra', 4, [0, 250, 500, 750]],
  ] as const)('%s of %i a second', (kind, calls, expected) => {
    expect(obey(limit(kind, calls, '1s'), expected.length).map(Math.round)).toEqual(expected)
  })

  test.each(['token-bucket', 'gcra'] as const)(
    '%s keeps a rate whose gap is no whole number of milliseconds',
    (kind) => {
      expect(obey(limit(kind, 7, '1s', 1), 7001).at(-1)).toBeCloseTo(1_000_000, 3)
    },
  )
})

describe.each(KINDS)('%s', (kind) => {
  test('lets 60 a minute through over ten minutes, whatever its burst', () => {
    const times = Array.from({ length: 6000 }, (_, index) => index * 100)
    const allowed = tryAt(limit(kind, 60, '1m'), times).filter((next, index) => next <= index * 100).length
    expect(allowed).toBeGreaterThanOrEqual(600)
    expect(allowed).toBeLessThanOrEqual(660)
  })

  test('after a call at 0 and one at 100 says what is left, and when all is back', () => {
    const made = even(kind, 4)
    tryAt(made, [0, 100])
    const resetAt = { 'fixed-window': 1000, 'sliding-window': 1100, 'token-bucket': 500, gcra: 500 }[kind]
    expect(made.standing(100)).toEqual({ limit: 4, windowMs: 1000, remaining: 2, resetAt })
  })

  test('what remains is what it then lets in', () => {
    const made = even(kind, 5)
    tryAt(made, [0, 130, 470])
    const { remaining } = made.standing(480)
    const next = tryAt(made, Array<number>(remaining + 1).fill(480))
    expect(next.slice(0, -1).every((time) => time === 480)).toBe(true)
    expect(next.at(-1)).toBeGreaterThan(480)
  })
})
