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

test('the first that was really sent is the earliest, by what is known of each', () => {
  const log = createAdmissions()
  expect(log.begunAt).toBeUndefined()
  const [first = -1, second = -1] = [0, 100, 250].map((at) => log.add(at))
  expect(log.begunAt).toBe(0)
  log.wasLate(first, 400)
  // What is not known to have been late was not: answers come out of order, and after seconds.
  expect(log.begunAt).toBe(100)
  log.wasLate(second, 60)
  expect([log.firstAt, log.begunAt]).toEqual([0, 160])
})

test('a late call of later on, or one that this log never had, changes nothing', () => {
  const log = createAdmissions()
  const handles = Array.from({ length: 100 }, (_, place) => log.add(10 * place))
  log.wasLate(handles.at(-1) ?? -1, 500)
  log.wasLate(-1, 500)
  expect(log.begunAt).toBe(0)
})
