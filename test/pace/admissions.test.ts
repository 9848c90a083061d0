// The log of calls: what is counted, what is taken back, what is forgotten.
import { expect, test } from 'vitest'
import { createAdmissions } from '../../src/pace/admissions.ts'

test('counts what was sent and not refused, between two times', () => {
  const log = createAdmissions()
  const handles = [0, 10, 20, 30].map((at) => log.add(at))
  log.refuse(handles[1] ?? -1)
  expect(log.count(0, 30)).toBe(3)
  expect(log.count(5, 20)).toBe(1)
  expect(log.firstAt).toBe(0)
  expect(log.since(2)).toBe(20)
  expect(log.since(5)).toBeUndefined()
})

test('forgets the oldest of very many, and takes none back that it has forgotten', () => {
  const log = createAdmissions()
  const first = log.add(0)
  for (let at = 1; at < 150_000; at += 1) log.add(at)
  log.refuse(first)
  expect(log.count(149_000, 149_999)).toBe(1000)
  expect(log.count(0, 149_999)).toBeGreaterThanOrEqual(60_000)
  expect(log.firstAt).toBe(0)
})

test('the first that was really sent is the earliest that is known, whatever its leave', () => {
  const log = createAdmissions()
  expect(log.begunAt).toBeUndefined()
  log.add(0)
  expect(log.begunAt).toBe(0)
  log.add(100)
  log.arrived(400)
  log.arrived(130)
  log.arrived(900)
  expect([log.firstAt, log.begunAt]).toEqual([0, 130])
})
