// When threads arrive: stages and ramps against the integral of their rate.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Stage } from '../../../src/domain/load.ts'
import { createTimetable } from '../../../src/runner/load/timetable.ts'

const stage = (seconds: number, from: number, to = from): Stage => ({ durationMs: seconds * 1000, from, to })

function moments(stages: Stage[]): number[] {
  const timetable = createTimetable(stages)
  const all: number[] = []
  for (let one = timetable.next(); one !== undefined; one = timetable.next()) all.push(one)
  return all
}

test.each([
  [1, 60],
  [50, 60],
  [500, 20],
  [2000, 10],
  [1000 / 3600, 3600],
  [1 / 3, 3],
])('%d a second for %d s are that many', (rate, seconds) => {
  expect(moments([stage(seconds, rate)])).toHaveLength(Math.round(rate * seconds))
})

test('as the help says: 2/s to 5/s in 30 s, then 5/s for a minute, are 105 and 300', () => {
  const all = moments([stage(30, 2, 5), stage(60, 5)])
  expect([all.filter((one) => one < 30_000).length, all.length]).toEqual([105, 405])
})

test('a time without arrivals is passed over', () => {
  expect(moments([stage(2, 1), stage(100, 0), stage(2, 1)])).toEqual([0, 1000, 102_000, 103_000])
  expect(moments([stage(10, 0)])).toEqual([])
})

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

test('law: arrival i comes when the integral of the rate reaches i', () => {
  const perSecond = fc.nat(50_000).map((thousandths) => thousandths / 1000)
  const anyStage = fc.record({
    durationMs: fc.integer({ min: 1, max: 20_000 }),
    from: perSecond,
    to: perSecond,
  })
  fc.assert(
    fc.property(fc.array(anyStage, { minLength: 1, maxLength: 4 }), (all) => {
      const once = moments(all)
      expect(once).toEqual(once.toSorted((a, b) => a - b))
      expect(Math.abs(once.length - arrivedBy(Infinity, all))).toBeLessThanOrEqual(1)
      const misses = once.map((moment, place) => Math.abs(arrivedBy(moment, all) - place))
      expect(Math.max(0, ...misses)).toBeLessThan(1e-6 * Math.max(1, once.length))
    }),
  )
})
