// The quota: calendar periods in UTC, and what is left of them.
import { describe, expect, test } from 'vitest'
import { makeQuota, periodAround } from '../../../src/sandbox/limits/quota.ts'

const at = (time: string): number => Date.parse(`${time}Z`)

describe('periods of the calendar', () => {
  test.each([
    ['minute', '2026-03-01T12:34:56', '2026-03-01T12:34', '2026-03-01T12:35'],
    ['hour', '2026-03-01T12:34:56', '2026-03-01T12:00', '2026-03-01T13:00'],
    ['day', '2026-03-01T23:59:59', '2026-03-01T00:00', '2026-03-02T00:00'],
    ['week', '2026-03-01T12:00', '2026-02-23T00:00', '2026-03-02T00:00'],
    ['week', '2026-03-02T00:00', '2026-03-02T00:00', '2026-03-09T00:00'],
    ['month', '2026-12-31T23:59', '2026-12-01T00:00', '2027-01-01T00:00'],
    ['month', '2028-02-29T12:00', '2028-02-01T00:00', '2028-03-01T00:00'],
  ] as const)('the %s of %s', (period, time, start, end) => {
    expect(periodAround(period, at(time))).toEqual({ start: at(start), end: at(end) })
  })
})

test('is spent to the last call, and whole again in the next period', () => {
  const quota = makeQuota({ calls: 2, period: 'day' }, [])
  const today = at('2026-03-01T10:00')
  quota.spend(today)
  expect(quota.stand(today).isSpent).toBe(false)
  quota.spend(today)
  expect(quota.stand(today)).toEqual({ isSpent: true, endsAt: at('2026-03-02T00:00') })
  expect(quota.stand(at('2026-03-02T00:00')).isSpent).toBe(false)
})

test('remembers what the ledger counted', () => {
  const spentAt = [at('2026-02-28T23:00'), at('2026-03-01T01:00'), at('2026-03-01T02:00')]
  expect(makeQuota({ calls: 2, period: 'day' }, spentAt).stand(at('2026-03-01T03:00')).isSpent).toBe(true)
  expect(makeQuota({ calls: 3, period: 'day' }, spentAt).stand(at('2026-03-01T03:00')).isSpent).toBe(false)
})
