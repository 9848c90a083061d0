// Student's t against the printed table, and the incomplete beta function under it against sums and laws.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { incompleteBeta, logGamma, studentQuantile, studentTails } from '../../src/stats/distributions.ts'

// Abramowitz and Stegun, table 26.10; two-sided.
test.each([
  [0.05, 1, 12.706],
  [0.05, 2, 4.303],
  [0.05, 3, 3.182],
  [0.05, 5, 2.571],
  [0.05, 10, 2.228],
  [0.05, 20, 2.086],
  [0.05, 30, 2.042],
  [0.05, 120, 1.98],
  [0.01, 1, 63.657],
  [0.01, 10, 3.169],
  [0.1, 4, 2.132],
  [0.5, 7, 0.711],
])('a tail of %d with %i degrees begins at %d', (tails, degrees, t) => {
  expect(studentQuantile(tails, degrees)).toBeCloseTo(t, 3)
})

test('the quantile undoes the tails, and nears the normal one', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.001, max: 0.9, noNaN: true }),
      fc.double({ min: 1, max: 500, noNaN: true }),
      (tails, degrees) => {
        expect(studentTails(studentQuantile(tails, degrees), degrees)).toBeCloseTo(tails, 9)
      },
    ),
  )
  expect(studentQuantile(0.05, 1e7)).toBeCloseTo(1.95996, 4)
})

describe('the incomplete beta function', () => {
  test.each([
    [0.5, 0.5, 0.5, 0.5],
    [0.25, 1, 1, 0.25],
    [0.3, 2, 5, 0.579825],
    [0.9, 10, 0.5, 0.151641],
  ])('I_%d(%d, %d) is %d', (x, a, b, value) => {
    expect(incompleteBeta(x, a, b)).toBeCloseTo(value, 5)
  })

  test('mirrors, rises, and stays within 0 and 1', () => {
    const shape = fc.double({ min: 0.05, max: 2000, noNaN: true })
    const share = fc.double({ min: 0.001, max: 0.999, noNaN: true })
    fc.assert(
      fc.property(share, share, shape, shape, (x, y, a, b) => {
        const value = incompleteBeta(x, a, b)
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(1)
        expect(value).toBeCloseTo(1 - incompleteBeta(1 - x, b, a), 8)
        expect(incompleteBeta(Math.max(x, y), a, b)).toBeGreaterThanOrEqual(
          incompleteBeta(Math.min(x, y), a, b) - 1e-9,
        )
      }),
    )
  })

  test('rests on a gamma function that is the factorial', () => {
    let factorial = 1
    for (let n = 1; n <= 20; n += 1) {
      factorial *= n
      expect(logGamma(n + 1)).toBeCloseTo(Math.log(factorial), 10)
    }
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 12)
  })
})
