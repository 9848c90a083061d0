// Protects the state that each limit model reports. pace/scenarios.test.ts and analysis/limit/infer.test.ts
// cover what it accepts.
import { expect, test } from 'vitest'
import { makeLimit, limitConfigSchema } from '../../../src/sandbox/limits/models.ts'

test.each([
  ['fixed-window', 1000, {}],
  ['sliding-window', 1100, {}],
  ['token-bucket', 500, {}],
])('%s reports after calls at 0 and 100 what is left, and a reset at %i', (kind, resetAt, more) => {
  const limit = makeLimit(limitConfigSchema.parse({ kind, limit: 4, window: '1s', ...more }))
  for (const time of [0, 100]) {
    expect(limit.nextAt(time)).toBe(time)
    limit.spend(time)
  }
  expect(limit.standing(100)).toEqual({ limit: 4, windowMs: 1000, remaining: 2, resetAt })
})

test('a token bucket accepts a call at the time that it named, however its fractions add up', () => {
  for (const perWindow of [3, 7, 9, 11]) {
    const limit = makeLimit(
      limitConfigSchema.parse({ kind: 'token-bucket', limit: perWindow, window: '1s', burst: 1 }),
    )
    for (let [now, calls] = [0, 0]; calls < 500; calls += 1) {
      limit.spend(now)
      now = limit.nextAt(now + 0.1)
      expect(limit.nextAt(now)).toBe(now)
    }
  }
})
