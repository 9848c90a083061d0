// Each model of a limit as arithmetic: calls at these milliseconds, accepted or not, without waiting. Over many calls: pace/scenarios.test.ts.
import { expect, test } from 'vitest'
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

test.each(KINDS)('%s, after a call at 0 and one at 100, says what is left, and when all is back', (kind) => {
  const made = even(kind, 4)
  tryAt(made, [0, 100])
  const resetAt = { 'fixed-window': 1000, 'sliding-window': 1100, 'token-bucket': 500, gcra: 500 }[kind]
  expect(made.standing(100)).toEqual({ limit: 4, windowMs: 1000, remaining: 2, resetAt })
})
