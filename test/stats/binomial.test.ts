// The binomial tail against printed values and against the sum itself.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { binomialLowerTail } from '../../src/stats/distributions.ts'

// Tables of the cumulative binomial distribution (CRC Standard Mathematical Tables).
test.each([
  [3, 10, 0.5, 0.1719],
  [5, 20, 0.5, 0.0207],
  [0, 5, 0.2, 0.3277],
  [7, 10, 0.8, 0.3222],
  [10, 10, 0.8, 1],
])('at most %i of %i at %d: %d', (successes, trials, chance, tail) => {
  expect(binomialLowerTail(successes, trials, chance)).toBeCloseTo(tail, 4)
})

test('is the sum of the chances of each count', () => {
  fc.assert(
    fc.property(
      fc.nat(60),
      fc.nat(60),
      fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      (successes, more, chance) => {
        const trials = successes + more
        let [term, sum] = [(1 - chance) ** trials, 0]
        for (let count = 0; count <= successes; count += 1) {
          sum += term
          term *= ((trials - count) / (count + 1)) * (chance / (1 - chance))
        }
        expect(binomialLowerTail(successes, trials, chance)).toBeCloseTo(sum, 9)
      },
    ),
  )
})
