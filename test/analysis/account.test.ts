// Protects the quota account: how each kind of result counts, that the chart of calls counts each once, and a ledger beside it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCallsOverTime, type UsageClass, usageClassOf } from '../../src/analysis/figures/account.ts'
import { compareWithLedger } from '../../src/analysis/figures/ledger.ts'
import type { AttemptResult } from '../../src/domain/attempt.ts'
import { callVerdict, type LimitCall } from '../../src/domain/limit.ts'
import { makeReply, network, rejection, timeout } from '../support/recorded.ts'

/** How a result counts toward the quota, and what it says of the limit. */
test.each<[string, AttemptResult, UsageClass, LimitCall['verdict'] | undefined]>([
  ['an answer', makeReply('X'), 'certain', 'accepted'],
  [
    'a malformed 2xx',
    { kind: 'malformed', httpStatus: 200, reason: 'r', excerpt: '' },
    'certain',
    'accepted',
  ],
  ['a 2xx cut off', network(true, 200), 'certain', 'accepted'],
  ['a 2xx that timed out', { ...timeout, httpStatus: 200 }, 'certain', 'accepted'],
  ['a 500', rejection(500), 'possible', 'unknown'],
  ['a timeout', timeout, 'possible', 'unknown'],
  ['a reset after sending', network(true), 'possible', 'unknown'],
  ['given up in flight', { kind: 'abandoned', sent: true }, 'possible', 'unknown'],
  ['a 429', rejection(429), 'notCounted', 'refused'],
  ['a 429 cut off', network(true, 429), 'possible', 'refused'],
  ['a 400', rejection(400), 'notCounted', 'unknown'],
  ['a redirect', rejection(302), 'notCounted', 'unknown'],
  ['no connection', network(false), 'notCounted', undefined],
  ['given up before sending', { kind: 'abandoned', sent: false }, 'notCounted', undefined],
])('%s counts', (_, result, usage, verdict) => {
  expect([usageClassOf(result), callVerdict(result)]).toEqual([usage, verdict])
})

const answered = makeReply('MODEL')
const START = Date.parse('2026-11-20T02:00:00.100Z')

const counted = (...calls: readonly (readonly [ms: number, result: AttemptResult])[]) => {
  const counter = createCallsOverTime()
  for (const [ms, result] of calls)
    counter.add({ kind: 'result', at: START + ms, attempt: 1, waitMs: 0, serviceMs: 1, result })
  return counter.finish()
}

test('a call counts in the bin of its end, by its result', () => {
  expect(counted()).toBeNull()
  expect(counted([0, answered], [100, rejection(429)], [600, rejection(503)], [601, timeout])).toEqual({
    from: '2026-11-20T02:00:00.000Z',
    binMs: 250,
    answered: [1, 0, 0],
    refused: [1, 0, 0],
    failed: [0, 0, 2],
  })
})

test('bins merge when there are more than 120, and every call stays in one bin', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 40_000_000 }), { minLength: 1, maxLength: 60 }), (times) => {
      const found = counted(
        ...times.map((ms, place) => [ms, place % 3 === 0 ? rejection(429) : answered] as const),
      )
      const sum = (list: readonly number[] = []): number => list.reduce((all, one) => all + one, 0)
      expect(sum(found?.refused)).toBe(Math.ceil(times.length / 3))
      expect(sum(found?.answered)).toBe(times.length - Math.ceil(times.length / 3))
      expect(found?.answered.length).toBeLessThanOrEqual(120)
      expect(found?.refused.length).toBe(found?.answered.length)
    }),
  )
})

test('a ledger whose clock differs by up to five seconds counts the calls of the run', () => {
  const run = {
    from: START,
    until: START,
    conversationIds: new Set<string>(),
    endUserRefs: new Set<string>(),
  }
  const entries = [-5001, -5000, 5000, 5001].map((ms) => {
    return { at: START + ms, count: 1, conversationId: undefined, endUserRef: undefined, row: String(ms) }
  })
  const compared = compareWithLedger(entries, run, { min: 2, max: 2 })
  expect(compared).toMatchObject({ matchedBy: 'total', counted: 2, verdict: 'within' })
})
