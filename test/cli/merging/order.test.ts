// The order of a whole set from its parts.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { orderQuestions, type NumberedQuestion } from '../../../src/cli/merging/order.ts'

const at = (number: number, line: number): NumberedQuestion => ({ number, file: 0, line, turn: 1 })
const taken = (...numbers: readonly number[]): Map<number, string> =>
  new Map(numbers.map((number) => [number, '']))

test('is that of the numbers, with those of missing parts in their places', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.array(fc.boolean()), (size, present) => {
      const held = Array.from({ length: size }, (_, number) => number).filter(
        (number) => present[number] ?? false,
      )
      const standing = held.map((number) => at(number, number + 2)).toReversed()
      const order = orderQuestions(standing, { numbered: size, taken: taken(...held), size })
      expect(order).toEqual(Array.from({ length: size }, (_, number) => number))
    }),
  )
})

test('is that of the lines once a changed set was taken on', () => {
  const standing = [at(7, 3), at(0, 2), at(4, 5), at(2, 4)]
  expect(orderQuestions(standing, { numbered: 4, taken: taken(0, 1, 2, 4, 7), size: 4 })).toEqual([
    0, 7, 2, 4,
  ])
})

test('is that of the lines where a set in another order was taken on', () => {
  const standing = [at(0, 3), at(1, 2), at(2, 4)]
  expect(orderQuestions(standing, { numbered: 3, taken: taken(0, 1, 2), size: 3 })).toEqual([1, 0, 2])
})

test('gives questions that nobody holds numbers that nobody has', () => {
  const standing = [at(0, 2), at(6, 3)]
  const order = orderQuestions(standing, { numbered: 3, taken: taken(0, 1, 6), size: 4 })
  expect(order).toEqual([0, 6, 2, 3])
})
