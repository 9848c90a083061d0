// Differences in words: sign, interval, noise.
import { describe, expect, test } from 'vitest'
import {
  durationInterval,
  points,
  pointsInterval,
  pValue,
  signedNumber,
} from '../../src/report/differences.ts'
import { makeDifference } from '../support/comparisons.ts'

test.each<[number, string]>([
  [-0.042, '−4.2 points'],
  [0.042, '+4.2 points'],
  [0.01, '+1.0 point'],
  [0, '0.0 points'],
  [-0.0004, '0.0 points'],
])('a difference of %d is %s', (difference, words) => {
  expect(points(difference)).toBe(words)
})

describe('an interval', () => {
  test.each<[string, number | null, number | null, string]>([
    ['on both sides', -0.081, -0.003, '−4.2 points, −8.1 to −0.3'],
    ['on no side', null, null, '−4.2 points (too few threads for an interval)'],
  ])('bounded %s', (_, low, high, words) => {
    expect(pointsInterval(makeDifference(-0.042, low, high))).toBe(words)
  })

  test('of milliseconds', () => {
    expect(durationInterval(makeDifference(700, -3, 1240))).toBe('+700 ms, −3.0 ms to +1.2 s')
    expect(durationInterval(makeDifference(0, -90_000, 0.01))).toBe('0.0 ms, −1 min 30 s to 0.0 ms')
  })

  test('of nothing', () => {
    expect(pointsInterval(null)).toBe('n/a')
    expect(durationInterval(null)).toBe('n/a')
  })
})

test.each<[number | null, string]>([
  [null, 'n/a'],
  [0.03, 'p = 0.03'],
  [0.0499, 'p = 0.05'],
  [0.34123, 'p = 0.34'],
  [0.001, 'p = 0.001'],
  [0.00099, 'p < 0.001'],
  [0, 'p < 0.001'],
  [1, 'p = 1'],
])('%d is said as %s', (p, words) => {
  expect(pValue(p)).toBe(words)
})

test('numbers have as many decimals as they need', () => {
  expect([signedNumber(0.123), signedNumber(-2), signedNumber(0.001)]).toEqual(['+0.12', '−2', '0'])
})
