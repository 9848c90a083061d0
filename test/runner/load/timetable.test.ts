// Protects the timetable of arrivals: stages and ramps against the integral of their rate.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Stage } from '../../../src/domain/load.ts'
import { dueTimes } from '../../support/play.ts'

/** The integral of the rate up to a moment. */
function arrivedBy(moment: number, all: readonly Stage[]): number {
  let [area, start] = [0, 0]
  for (const { durationMs, from, to } of all) {
    const inside = Math.max(0, Math.min(moment - start, durationMs))
    area += ((from + (from + ((to - from) * inside) / durationMs)) / 2) * (inside / 1000)
    start += durationMs
  }
  return area
}

test('arrival i is due when the integral of the rate reaches i', () => {
  const perSecond = fc.nat(50_000).map((thousandths) => thousandths / 1000)
  const anyStage = fc.record({
    durationMs: fc.integer({ min: 1, max: 20_000 }),
    from: perSecond,
    to: perSecond,
  })
  fc.assert(
    fc.property(fc.array(anyStage, { minLength: 1, maxLength: 4 }), (all) => {
      const once = dueTimes(all)
      expect(once).toEqual(once.toSorted((a, b) => a - b))
      expect(Math.abs(once.length - arrivedBy(Infinity, all))).toBeLessThanOrEqual(1)
      const misses = once.map((moment, place) => Math.abs(arrivedBy(moment, all) - place))
      expect(Math.max(0, ...misses)).toBeLessThan(1e-6 * Math.max(1, once.length))
    }),
  )
})
