// The offset between two clocks: by pairs that are known, and by how times fit.
import { describe, expect, test } from 'vitest'
import { agreeOnOffset, alignOffset } from '../../../src/analysis/ledger/clock-offset.ts'

describe('pairs that are known', () => {
  test.each([
    // The three servers of Marzullo's example: 8 to 12, 11 to 13, 14 to 15 agree on 11 to 12.
    [
      'overlap of two',
      [
        [8, 12],
        [11, 13],
        [14, 15],
      ],
      11.5,
      2,
    ],
    // His second: 8 to 9, 8 to 12, 10 to 12 — of two equal overlaps the nearer to zero.
    [
      'two overlaps alike',
      [
        [8, 9],
        [8, 12],
        [10, 12],
      ],
      8.5,
      2,
    ],
    [
      'zero where it holds as much as any',
      [
        [-3, 5],
        [-1, 9],
        [700, 800],
      ],
      0,
      2,
    ],
    [
      'an outlier',
      [
        [90, 110],
        [95, 120],
        [92, 99],
        [-5, 5],
      ],
      97,
      3,
    ],
    [
      'points',
      [
        [7, 7],
        [7, 7],
      ],
      7,
      2,
    ],
  ] as const)('%s', (_, intervals, offsetMs, agree) => {
    expect(agreeOnOffset(intervals.map(([low, high]) => ({ low, high })))).toMatchObject({
      offsetMs,
      agree,
      of: intervals.length,
    })
  })

  test('none', () => {
    expect(agreeOnOffset([])).toBeUndefined()
  })
})

/** Calls at irregular times, as long as they like; the row's time is somewhere within. */
function irregular(count: number, start = 7): { from: number; until: number; row: number }[] {
  let [seed, at] = [start, 1_700_000_000_000]
  const draw = (): number => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  return Array.from({ length: count }, () => {
    at += 200 + 2000 * draw()
    const length = 100 + 900 * draw()
    return { from: at, until: at + length, row: at + length * draw() }
  })
}

describe('times alone', () => {
  test.each([0, 1500, -47_000, 3_600_000, -7_200_000 + 2500])('are found %d ms apart', (shift) => {
    const calls = irregular(300)
    const rows = Float64Array.from(calls, ({ row }) => row + shift).sort()
    const found = alignOffset(calls, rows, 1)
    expect(Math.abs((found?.offsetMs ?? NaN) - shift)).toBeLessThan(500)
    expect(found?.agree).toBeGreaterThan(290)
  })

  test('are found among as much traffic of others, with one row in ten missing', () => {
    const calls = irregular(300)
    const others = irregular(900, 1234).map(({ row }) => row - 600_000)
    const rows = Float64Array.from([
      ...calls.filter((_, at) => at % 10 !== 0).map(({ row }) => row + 90_000),
      ...others,
    ]).sort()
    expect(Math.abs((alignOffset(calls, rows, 1)?.offsetMs ?? NaN) - 90_000)).toBeLessThan(500)
  })

  test('that fit nowhere shift nothing', () => {
    const calls = irregular(50)
    const found = alignOffset(calls, Float64Array.from([1_600_000_000_000]), 1)
    expect(found).toMatchObject({ offsetMs: 0, agree: 0, of: 50 })
  })
})
