// Mantel's trend within strata, against published tables.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addPair, emptyStratum, stratifiedTrend, type StratumSums } from '../../src/stats/stratified-trend.ts'

/** Counts by dose (rows) and outcome (columns), with their scores. */
function tableOf(
  counts: readonly (readonly number[])[],
  xs: readonly number[],
  ys: readonly number[],
): StratumSums {
  const sums = emptyStratum()
  for (const [row, cells] of counts.entries())
    for (const [column, count] of cells.entries())
      for (let one = 0; one < count; one += 1) addPair(sums, xs[row] ?? 0, ys[column] ?? 0)
  return sums
}

describe('published values', () => {
  test('one stratum is the test of Cochran and Armitage: alcohol and malformation (Agresti 2002, 3.4)', () => {
    const counts = [
      [17_066, 48],
      [14_464, 38],
      [788, 5],
      [126, 1],
      [37, 1],
    ]
    const trend = stratifiedTrend([tableOf(counts, [0, 0.5, 1.5, 4, 7], [0, 1])])
    expect((trend?.z ?? 0) ** 2).toBeCloseTo(6.57, 2)
    expect(trend?.p).toBeCloseTo(0.0104, 4)
  })

  test('two strata: job satisfaction and income by gender (Agresti 2002, 7.5.3: 6.1563, p = 0.0131)', () => {
    const women = [
      [1, 3, 11, 2],
      [2, 3, 17, 3],
      [0, 1, 8, 5],
      [0, 2, 4, 2],
    ]
    const men = [
      [1, 1, 2, 1],
      [0, 3, 5, 1],
      [0, 0, 7, 3],
      [0, 1, 9, 6],
    ]
    const [incomes, satisfactions] = [
      [3, 10, 20, 35],
      [1, 3, 4, 5],
    ]
    const trend = stratifiedTrend([women, men].map((counts) => tableOf(counts, incomes, satisfactions)))
    expect((trend?.z ?? 0) ** 2).toBeCloseTo(6.1563, 4)
    expect(trend?.p).toBeCloseTo(0.0131, 4)
  })
})

describe('laws', () => {
  test('strata of another mix feign no trend', () => {
    // Easy questions at low rates, hard ones at high: within each nothing moves.
    const easy = tableOf(
      [
        [2, 8],
        [1, 4],
      ],
      [1, 2],
      [0, 1],
    )
    const hard = tableOf(
      [
        [8, 2],
        [40, 10],
      ],
      [2, 10],
      [0, 1],
    )
    const trend = stratifiedTrend([easy, hard])
    expect(Math.abs(trend?.z ?? 1)).toBeLessThan(1e-6)
  })

  test('one outcome whatever the dose is no trend; one dose cannot be tested', () => {
    expect(
      stratifiedTrend([
        tableOf(
          [
            [0, 5],
            [0, 5],
          ],
          [1, 2],
          [0, 1],
        ),
      ]),
    ).toMatchObject({ z: 0, p: 1, slope: 0 })
    expect(stratifiedTrend([tableOf([[5, 5]], [20], [0, 1])])).toBeUndefined()
    expect(stratifiedTrend([])).toBeUndefined()
  })

  test('turning the doses round turns the sign and keeps p', () => {
    const pair = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 1 }))
    fc.assert(
      fc.property(fc.array(pair, { minLength: 3, maxLength: 30 }), (pairs) => {
        const [one, other] = [emptyStratum(), emptyStratum()]
        for (const [x, y] of pairs) {
          addPair(one, x, y)
          addPair(other, -x, y)
        }
        const [there, back] = [stratifiedTrend([one]), stratifiedTrend([other])]
        expect(back?.z ?? 0).toBeCloseTo(-(there?.z ?? 0), 9)
        expect(back?.p ?? 0).toBeCloseTo(there?.p ?? 0, 9)
      }),
      { numRuns: 60 },
    )
  })
})
