// What a member's stillness is put down to: the pace and the others' turns are excused, the organization's own pauses are not.
import { expect, test } from 'vitest'
import { createExcuse, type Standing } from '../../../src/pace/shared/excuse.ts'

const open: Standing = { closure: undefined, isProbing: false }
const closed = (from: number, until: number, named: boolean): Standing => ({
  closure: { from, until, named },
  isProbing: false,
})

test.each<[string, Standing, number]>([
  ['waiting for its turn', open, 1000],
  ['a pause of our own', closed(0, 5000, false), 0],
  ['a pause of our own that began and ended meanwhile', closed(200, 600, false), 600],
  ['a wait that the endpoint named', closed(0, 5000, true), 1000],
  ["another's probe", { closure: undefined, isProbing: true }, 0],
  ["another's probe within a named wait", { ...closed(0, 400, true), isProbing: true }, 400],
])('a second of %s', (_, standing, excused) => {
  const excuse = createExcuse()
  excuse.onBusy(0)
  excuse.onIdle(0)
  excuse.onStanding(0, standing)
  expect(excuse.totalMs(1000)).toBe(excused)
  expect(excuse.totalMs(1000)).toBe(excused)
})

test('one pause after another is counted, though each is told of only once', () => {
  const excuse = createExcuse()
  excuse.onBusy(0)
  excuse.onIdle(0)
  for (const at of [0, 1000, 2000]) excuse.onStanding(at, closed(at, at + 800, false))
  expect(excuse.totalMs(3000)).toBe(600)
})

test('what is under way needs no excuse, nor does the time before the first call', () => {
  const excuse = createExcuse()
  expect(excuse.totalMs(500)).toBe(0)
  excuse.onBusy(500)
  expect(excuse.totalMs(900)).toBe(0)
  excuse.onIdle(900)
  expect(excuse.totalMs(1000)).toBe(100)
})
