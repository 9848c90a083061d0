// What each model of a limit says of where it stands. What it accepts: pace/scenarios.test.ts, analysis/limit/infer.test.ts.
import { expect, test } from 'vitest'
import { makeLimit, limitRuleSchema } from '../../../src/sandbox/limits/models.ts'

test.each([
  ['fixed-window', 1000, {}],
  ['sliding-window', 1100, {}],
  ['token-bucket', 500, {}],
  ['gcra', 500, { burst: 4 }],
])(
  '%s, after a call at 0 and one at 100, says what is left, and that all is back at %i',
  (kind, resetAt, more) => {
    const limit = makeLimit(limitRuleSchema.parse({ kind, limit: 4, window: '1s', ...more }))
    for (const time of [0, 100]) {
      expect(limit.nextAt(time)).toBe(time)
      limit.spend(time)
    }
    expect(limit.standing(100)).toEqual({ limit: 4, windowMs: 1000, remaining: 2, resetAt })
  },
)

test('GCRA has no burst unless it is given one', () => {
  const limit = makeLimit(limitRuleSchema.parse({ kind: 'gcra', limit: 4, window: '1s' }))
  limit.spend(0)
  expect(limit.nextAt(0)).toBe(250)
})
