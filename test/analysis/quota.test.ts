// The arithmetic of allowances, by hand.
import { expect, test } from 'vitest'
import { callsAMonth, repeatedCalls } from '../../src/analysis/quota.ts'
import { shareOfQuota } from '../../src/domain/quota.ts'

test.each([
  // 48 × 30.4375 = 1461; 10 × 30.4375 = 304.375; what is known between bounds is rounded outwards.
  [
    { min: 48, max: 48 },
    { min: 1461, max: 1461 },
  ],
  [
    { min: 10, max: 10 },
    { min: 304, max: 304 },
  ],
  [
    { min: 10, max: 11 },
    { min: 304, max: 335 },
  ],
  [
    { min: -10, max: 11 },
    { min: -305, max: 335 },
  ],
])('a month of nights of %j is %j', (cost, month) => {
  expect(repeatedCalls(cost, 30.4375)).toEqual(month)
})

test('shares, and a month of a daily allowance', () => {
  expect(shareOfQuota(48, { calls: 1000, period: 'month' })).toBe(0.048)
  expect(shareOfQuota(48, null)).toBeNull()
  expect(callsAMonth({ calls: 100, period: 'day' })).toBe(3043.75)
  expect(callsAMonth({ calls: 100, period: 'month' })).toBe(100)
})
