// What a limit is measured to allow after the ramp met it.
import { describe, expect, test } from 'vitest'
import { createAdmissions } from '../../src/pace/admissions.ts'
import { createCapacityMeter } from '../../src/pace/capacity.ts'

/** Calls at 4/s, then twice as many a second from one time to the next, up to `closedAt`; how many a second at the end. */
function ramp(admissions: ReturnType<typeof createAdmissions>, doublings: readonly number[]): number {
  let at = 0
  let pace = 4
  for (const until of doublings) {
    for (; at < until; at += 1000 / pace) admissions.add(at)
    pace *= 2
  }
  return pace / 2
}

const measureAfterRamp = (closedForMs: number, more: { readonly isNamed?: boolean } = {}) => {
  const admissions = createAdmissions()
  const pace = ramp(admissions, [1200, 1900, 2600, 3300])
  const meter = createCapacityMeter(admissions, undefined)
  const { capacity } = meter.measure({
    closedAt: 3300,
    openedAt: 3300 + closedForMs,
    lastRefusalAt: 3300 + closedForMs / 2,
    failedProbes: 2,
    isNamed: false,
    pace,
    capacity: 4,
    mayBeAtOnce: false,
    isFirst: true,
    ...more,
  })
  const trailing = (admissions.count(0, 3300) * 1000) / (3300 + closedForMs)
  return { capacity, trailing, meter, pace }
}

describe('the ramp in a short memory', () => {
  test('does not count in full: the limit may have been used up within one window of it', () => {
    const { capacity, trailing, meter, pace } = measureAfterRamp(1800)
    expect(meter.isShort).toBe(true)
    expect(capacity).toBeGreaterThan(1.1 * trailing)
    expect(capacity).toBeLessThan(pace)
  })

  test('counts in full in a long one, where a wrong guess costs a long wait', () => {
    const { capacity, trailing, meter } = measureAfterRamp(20_000)
    expect(meter.isShort).toBe(false)
    expect(capacity).toBeCloseTo(trailing)
  })

  test('counts in full where the endpoint named the wait', () => {
    const { capacity, trailing } = measureAfterRamp(1800, { isNamed: true })
    expect(capacity).toBeCloseTo(trailing)
  })
})

test('the memory is not short while it is not known', () => {
  expect(createCapacityMeter(createAdmissions(), undefined).isShort).toBe(false)
})
