// Protects how `--rate` is read and how a pace is shown.
import { expect, test } from 'vitest'
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
