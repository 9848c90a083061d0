// Ranges as patterns, held against the numbers themselves.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { atMost, below, NOT_ZERO } from '../../../src/cli/options/ranges.ts'

const isTaken = (range: string, text: string): boolean =>
  new RegExp(String.raw`^(?:${range}\d*\.?\d+)$`, 'u').test(text)

/** Near the end of the range above all, with zeros before and behind. */
const cases = fc
  .tuple(
    fc.oneof(fc.integer({ min: 1, max: 1200 }), fc.constantFrom(1, 10, 1e9, 2_145_600_000, 1e12)),
    fc.oneof(fc.integer({ min: -2, max: 2 }), fc.nat({ max: 1200 })),
    fc.constantFrom('', '0', '000'),
    fc.constantFrom('', '.0', '.000', '.5', '.001', '.9'),
  )
  .map(([end, offset, zeros, decimals]) => ({
    end,
    text: zeros + String(Math.abs(end + offset)) + decimals,
  }))

test('a range takes the numbers in it, and no others', () => {
  fc.assert(
    fc.property(cases, ({ end, text }) => {
      expect([text, isTaken(below(end), text)]).toEqual([text, Number(text) < end])
      expect([text, isTaken(atMost(end), text)]).toEqual([text, Number(text) <= end])
      expect([text, isTaken(NOT_ZERO, text)]).toEqual([text, Number(text) !== 0])
    }),
    { numRuns: 5000 },
  )
})

test.each(['.5', '0.5', '00.5'])('%s is below 1', (text) => {
  expect([isTaken(below(1), text), isTaken(atMost(1), text)]).toEqual([true, true])
})

test.each(['1.0000000000000000000001', '10', '01.1'])('%s is above 1, however closely', (text) => {
  expect([isTaken(below(1), text), isTaken(atMost(1), text)]).toEqual([false, false])
})
