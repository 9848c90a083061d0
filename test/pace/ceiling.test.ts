// The ceiling of the pace: margin, share and strays; and closures, of which the longest holds.
import { expect, test } from 'vitest'
import { createCeiling } from '../../src/pace/ceiling.ts'
import { createClosures } from '../../src/pace/closures.ts'

test('is 1 % below the share of what is known', () => {
  const ceiling = createCeiling(10, 0.5)
  expect(ceiling.perSecond).toBeCloseTo(4.95)
  ceiling.lowerTo(4)
  expect(ceiling.perSecond).toBeCloseTo(1.98)
})

test('does not exist while nothing is known', () => {
  expect(createCeiling(undefined, 0.5).perSecond).toBe(Infinity)
})

test('comes down half a percent for a stray, to 2 % below at most', () => {
  const ceiling = createCeiling(100, 1)
  const seen = Array.from({ length: 4 }, () => {
    ceiling.heedStray()
    return Number(ceiling.perSecond.toFixed(2))
  })
  expect(seen).toEqual([98.5, 98, 98, 98])
})

test('of two closures the longer one holds', () => {
  const closures = createClosures()
  expect(closures.isClosed(0)).toBe(false)
  closures.close(0, 100)
  closures.close(10, 50)
  expect(closures.current).toEqual({ from: 0, until: 100 })
  expect([closures.isClosed(99), closures.isClosed(100)]).toEqual([true, false])
})
