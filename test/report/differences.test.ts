// Differences in words: sign, interval, noise.
import { describe, expect, test } from 'vitest'
import {
  describeNoise,
  durationInterval,
  points,
  pointsInterval,
  pValue,
  range,
  signedNumber,
  type WorseWhen,
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
    ['from below', -0.081, null, '−4.2 points, −8.1 or more (too few threads)'],
    ['from above', null, 0.003, '−4.2 points, +0.3 or less (too few threads)'],
    ['nowhere', null, null, '−4.2 points (too few threads to bound it)'],
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

describe('more than noise?', () => {
  test.each<[string, [number, number | null, number | null] | null, number | null, WorseWhen, string]>([
    ['no difference is given', null, null, 'lower', ''],
    ['likely by chance', [-0.1, -0.3, 0.1], 0.3, 'lower', 'no (p = 0.3)'],
    ['fell, and should not', [-0.1, -0.2, -0.01], 0.01, 'lower', 'yes, worse (p = 0.01)'],
    ['fell, and should', [-0.1, -0.2, -0.01], 0.01, 'higher', 'yes, better (p = 0.01)'],
    ['rose, and should not', [0.1, 0.01, 0.2], 0.01, 'higher', 'yes, worse (p = 0.01)'],
    ['by its interval', [0.1, 0.01, 0.2], null, 'lower', 'yes, better'],
    ['by an interval around nought', [0.1, -0.01, 0.2], null, 'lower', 'no'],
    ['without either', [0.1, null, 0.2], null, 'lower', 'cannot be told'],
  ])('%s', (_, difference, p, worseWhen, words) => {
    const measured = difference === null ? null : makeDifference(...difference)
    expect(describeNoise(measured, p, 0.05, worseWhen)).toBe(words)
  })
})

test('numbers and ranges have as many decimals as they need', () => {
  expect([signedNumber(0.123), signedNumber(-2), signedNumber(0.001)]).toEqual(['+0.12', '−2', '0'])
  expect([range(30, 42, 'call'), range(1, 1, 'call'), range(0, 0, 'call')]).toEqual([
    '30 to 42 calls',
    '1 call',
    '0 calls',
  ])
})
