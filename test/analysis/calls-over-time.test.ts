// Protects the chart of calls over time: every call is counted once, whatever the length of the run.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCallsOverTime } from '../../src/analysis/figures/calls-over-time.ts'
import type { AttemptResult } from '../../src/domain/attempt.ts'
import type { JournalEvent } from '../../src/domain/journal.ts'
import { makeReply, rejection, timeout } from '../support/recorded.ts'

const answered = makeReply('MODEL')
const START = Date.parse('2026-11-20T02:00:00.100Z')

const ended = (ms: number, result: AttemptResult): JournalEvent => ({
  kind: 'result',
  at: START + ms,
  attempt: 1,
  waitMs: 0,
  serviceMs: 1,
  result,
})

test('a run without calls has no counts', () => {
  expect(createCallsOverTime().finish()).toBeNull()
})

test('a call counts in the bin of its end, by its result', () => {
  const counter = createCallsOverTime()
  for (const [ms, result] of [
    [0, answered],
    [100, rejection(429)],
    [600, rejection(503)],
    [601, timeout],
  ] as const)
    counter.add(ended(ms, result))
  expect(counter.finish()).toEqual({
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
      const counter = createCallsOverTime()
      for (const [place, at] of times.entries())
        counter.add(ended(at, place % 3 === 0 ? rejection(429) : answered))
      const found = counter.finish()
      const sum = (list: readonly number[] = []): number => list.reduce((all, one) => all + one, 0)
      expect(sum(found?.refused)).toBe(Math.ceil(times.length / 3))
      expect(sum(found?.answered)).toBe(times.length - Math.ceil(times.length / 3))
      expect(found?.answered.length).toBeLessThanOrEqual(120)
      expect(found?.refused.length).toBe(found?.answered.length)
    }),
  )
})
