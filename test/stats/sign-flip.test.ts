// The sign-flip test: a published example, every sign by hand, McNemar, laws.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exactMcNemar, signFlipTest } from '../../src/stats/paired-tests.ts'

test("Darwin's maize: 1,726 of the 32,768 sums are as large (Fisher 1935, The Design of Experiments, 21)", () => {
  const changes = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
  expect(signFlipTest(changes)).toBeCloseTo(1726 / 32768, 12)
})

test.each([
  [[], 1],
  [[0, 0], 1],
  [[-3], 1],
  // Sums of ±1 ±2 of at least 3 in size: two of four.
  [[1, 2], 0.5],
  // ±1 ±1 ±3: 5, 3, 3, 1 and their mirrors; 3 or more are six of eight.
  [[1, -1, 3], 0.75],
])('%j: %d', (changes, p) => {
  expect(signFlipTest(changes)).toBeCloseTo(p, 12)
})

test('is the exact McNemar test where each thread changed by one', () => {
  fc.assert(
    fc.property(fc.nat(80), fc.nat(80), (lost, gained) => {
      const changes = [...Array.from({ length: lost }, () => -1), ...Array.from({ length: gained }, () => 1)]
      expect(signFlipTest(changes)).toBeCloseTo(exactMcNemar(lost, gained), 10)
    }),
  )
})

test('is the share of all signs whose sum is as far from 0', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -6, max: 6 }), { maxLength: 9 }), (changes) => {
      let sums = [0]
      for (const change of changes) sums = sums.flatMap((sum) => [sum - change, sum + change])
      const observed = Math.abs(changes.reduce((sum, change) => sum + change, 0))
      const far = sums.filter((sum) => Math.abs(sum) >= observed).length
      expect(signFlipTest(changes)).toBeCloseTo(far / sums.length, 12)
    }),
  )
})

test('100,000 threads that all changed: alike to the normal approximation, at once', () => {
  const changes = Array.from({ length: 100_000 }, (_, place) => (place < 50_310 ? 1 : -1))
  // z = (620 − 1) / √100,000 = 1.9574, with half a step of two taken off.
  expect(signFlipTest(changes)).toBeCloseTo(0.0503, 4)
})

test('thousands that changed by as much, among others: the same as one by one', () => {
  const sizes = [
    ...Array.from({ length: 1500 }, () => 2),
    ...Array.from({ length: 1200 }, () => 3),
    1,
    1,
    7,
    40,
  ]
  const changes = sizes.map((size, place) => (place % 100 < 52 ? -size : size))
  let chances = new Map([[0, 1]])
  for (const size of sizes) {
    const next = new Map<number, number>()
    for (const [sum, chance] of chances)
      if (chance > 1e-30)
        for (const by of [-size, size]) next.set(sum + by, (next.get(sum + by) ?? 0) + chance / 2)
    chances = next
  }
  const observed = Math.abs(changes.reduce((sum, change) => sum + change, 0))
  const far = [...chances].reduce((sum, [at, chance]) => sum + (Math.abs(at) >= observed ? chance : 0), 0)
  expect(far).toBeLessThan(0.2)
  expect(signFlipTest(changes) / far).toBeCloseTo(1, 8)
})
