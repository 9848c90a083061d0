// Retry-After in its forms.
import { expect, test } from 'vitest'
import { retryAfterMs } from '../../src/pace/retry-after.ts'

const wall = Date.UTC(2026, 10, 20, 12, 0, 0)

test.each([
  ['seconds', { 'retry-after': '7' }, 7000],
  ['fractions of seconds', { 'retry-after': '0.5' }, 500],
  ['none', { 'retry-after': '0' }, 0],
  ['more than an hour', { 'retry-after': '86400' }, 86_400_000],
  ['a date against our clock', { 'retry-after': 'Fri, 20 Nov 2026 12:00:09 GMT' }, 9000],
  [
    'a date against the Date of the answer, whose clock is an hour behind',
    { 'retry-after': 'Fri, 20 Nov 2026 11:00:05 GMT', date: 'Fri, 20 Nov 2026 11:00:00 GMT' },
    5000,
  ],
  ['a date in the form of RFC 850', { 'retry-after': 'Friday, 20-Nov-26 12:00:03 GMT' }, 3000],
  ['a date in the form of asctime', { 'retry-after': 'Fri Nov 20 12:00:04 2026' }, 4000],
  ['a date that has passed', { 'retry-after': 'Fri, 20 Nov 2026 11:59:00 GMT' }, 0],
  ['nothing', {}, undefined],
  ['words', { 'retry-after': 'soon' }, undefined],
  ['a negative number', { 'retry-after': '-5' }, undefined],
  ['an exponent', { 'retry-after': '1e9' }, undefined],
  ['an empty value', { 'retry-after': '' }, undefined],
])('%s', (_, headers, expected) => {
  expect(retryAfterMs(headers as Record<string, string>, wall)).toBe(expected)
})
