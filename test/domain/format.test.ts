// Protects how figures are written, at the boundaries of their units.
import { expect, test } from 'vitest'
import { duration, perSecond, rateText, WRITTEN } from '../../src/domain/format.ts'

test.each([
  [null, '–'],
  [1.84, '1.8 ms'],
  [4, '4 ms'],
  [999.4, '999 ms'],
  [999.6, '1 s'],
  [1240, '1.2 s'],
  [59_940, '59.9 s'],
  [59_960, '1 min'],
  [185_000, '3 min 5 s'],
  [3_599_600, '1 h'],
  [7_800_000, '2 h 10 min'],
  [345_600_000, '4 days'],
])('%s ms is written as %s', (ms, text) => {
  expect(duration(ms)).toBe(text)
})

test.each([
  [4, '4/s'],
  [1000, '1000/s'],
  [1, '60/min'],
  [0.99, '59.4/min'],
  [1000 / 3600, '16.7/min'],
  [0.01, '36/h'],
  [null, 'unlimited'],
])('a pace of %d per second is written as %s', (pace, text) => {
  expect(rateText(pace)).toBe(text)
})

test.each([
  [0.4, '0.4/s'],
  [0.04, '0.04/s'],
  [19.96, '20/s'],
])('a load of %d per second is written as %s', (rate, text) => {
  expect(perSecond(rate)).toBe(text)
})

test('a value is written precisely enough to tell it from its limit', () => {
  expect(WRITTEN.milliseconds(5000.04)).toBe('5000.040 ms')
  expect(WRITTEN.milliseconds(7213.44)).toBe('7213.4 ms')
  expect(WRITTEN.share(0.7996)).toBe('79.96%')
  expect([19.996, 0.0042].map(WRITTEN.perSecond)).toEqual(['20/s', '0.0042/s'])
})
