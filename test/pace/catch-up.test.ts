// Time that is made good call by call.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCatchUp } from '../../src/pace/catch-up.ts'

test('is made good by a fifth of a slot at most, and no more than is owed', () => {
  const catchUp = createCatchUp()
  catchUp.owe(50)
  expect([100, 100, 100, 100].map((slot) => catchUp.take(slot))).toEqual([20, 20, 10, 0])
})

test('nothing is owed at first, nor for a time below 0, and the latest debt is the only one', () => {
  const catchUp = createCatchUp()
  expect(catchUp.take(100)).toBe(0)
  catchUp.owe(100)
  catchUp.owe(-5)
  expect(catchUp.take(100)).toBe(0)
})

test('never hurries a call by more than a fifth, nor makes good more than 0.4 s', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      fc.array(fc.integer({ min: 1 })),
      (ms, slots) => {
        const catchUp = createCatchUp()
        catchUp.owe(ms)
        const taken = slots.map((slot) => [slot, catchUp.take(slot)] as const)
        for (const [slot, sooner] of taken) expect(sooner).toBeLessThanOrEqual(0.2 * slot)
        const total = taken.reduce((sum, [, sooner]) => sum + sooner, 0)
        expect(total).toBeLessThanOrEqual(Math.min(ms, 400) + 1e-6)
      },
    ),
  )
})
