// Protects how `--rate` is read and how a pace is shown.
import { expect, test } from 'vitest'
import { rateText } from '../../src/domain/format.ts'
import { parseRate } from '../../src/pace/rules.ts'

test.each([
  ['auto', { kind: 'auto' }],
  ['UNLIMITED', { kind: 'unlimited' }],
  ['60/min', { kind: 'known', perSecond: 1 }],
  ['5/s', { kind: 'known', perSecond: 5 }],
  ['1000/h', { kind: 'known', perSecond: 1000 / 3600 }],
  ['0.5 / s', { kind: 'known', perSecond: 0.5 }],
])('%s is read', (text, rate) => {
  expect(parseRate(text)).toEqual(rate)
})

test.each(['', '0/s', '5', '5/day', '-1/s', 'fast', '5/s/s', 'Infinity/s', '1e9/s'])(
  '%j is not a rate',
  (text) => {
    expect(parseRate(text)).toBeUndefined()
  },
)

test.each([
  [4, '4/s'],
  [1, '60/min'],
  [0.99, '59.4/min'],
  [1000 / 3600, '16.7/min'],
  [0.01, '36/h'],
  [null, 'unlimited'],
])('%d per second is shown as %s', (perSecond, text) => {
  expect(rateText(perSecond)).toBe(text)
})
