// Numbers lose the digits that nobody knows.
import { expect, test } from 'vitest'
import { speak } from '../../src/report/uncertain.ts'

test.each<[number, number, number | null, number, string, string]>([
  [5.0234, 4.91, 5.12, 1, '5.0', '4.9 to 5.1'],
  [12.0021, 11.99, 12.02, 1, '12.0', ''],
  [11.895, 11.883, 11.903, 1, '11.9', ''],
  [0.98, 0.5, 1.8, 1, '1.0', '0.5 to 1.8'],
  [39.4, 34.2, 45.3, 1, '39', '34 to 45'],
  [10, 9, 10, 1, '10', '9 to 10'],
  [5.02, 4.9, 5.1, 1, '5.0', '4.9 to 5.1'],
  [1000, 1000, 1000, 1, '1,000', ''],
  [0.1, 0.1, 0.1, 1, '0.1', ''],
  [3.3333, 3.3333, 3.3333, 1, '3.33', ''],
  [12_345.6, 11_000, 13_000, 1, '12,346', '11,000 to 13,000'],
  [0.5, 0.4, 0.6, 60, '30', '24 to 36'],
  [12, 11.6, null, 1, '12.0', 'at least 11.6'],
])('%d (%d to %s) times %d: %s, %s', (value, low, high, times, said, span) => {
  expect(speak({ value, low, high }, times)).toEqual({ value: said, span })
})
