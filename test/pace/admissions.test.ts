// The log of admitted calls: exact while it is short, close to that once older calls stand in lumps.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  admit,
  begunAt,
  countAdmitted,
  createAdmissions,
  rateBetween,
  refuse,
  sentBefore,
  wasLate,
} from '../../src/pace/admissions.ts'

test('counts what was sent and not refused, both ends included', () => {
  const log = createAdmissions()
  for (const at of [0, 100, 200, 300, 400]) admit(log, at)
  refuse(log, 200)
  refuse(log, 250)
  expect(countAdmitted(log, 100, 400)).toBe(3)
  expect(countAdmitted(log, 0, 199)).toBe(2)
  expect(rateBetween(log, 0, 400)).toBe(10)
  expect([sentBefore(log, 2), sentBefore(log, 9), log.firstAt]).toEqual([300, undefined, 0])
})

test('a window began when the first call was really sent', () => {
  const log = createAdmissions()
  expect(begunAt(log)).toBeNull()
  for (const at of [0, 100]) admit(log, at)
  wasLate(log, 0, 250)
  expect(begunAt(log)).toBe(100)
})

test('of any history, lumps count to within a few calls in a hundred of what they are, and of all exactly', () => {
  const gaps = fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 300, maxLength: 2000 })
  fc.assert(
    fc.property(gaps, fc.nat(99), (all, part) => {
      const log = createAdmissions()
      const times: number[] = []
      for (const gap of all) times.push((times.at(-1) ?? 0) + gap)
      for (const at of times) admit(log, at)
      const end = times.at(-1) ?? 0
      expect(countAdmitted(log, 0, end)).toBe(times.length)
      expect(log.lumps.length).toBeLessThanOrEqual(240)
      const from = (end * part) / 100
      const exact = times.filter((at) => at >= from).length
      expect(Math.abs(countAdmitted(log, from, end) - exact)).toBeLessThanOrEqual(3 + 0.03 * exact)
    }),
    { numRuns: 100 },
  )
})
