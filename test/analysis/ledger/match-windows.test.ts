// The matching of points to windows: as many as there can be, the first rank before all others.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchWindows, type Window } from '../../../src/analysis/ledger/match-windows.ts'

const cases = fc.record({
  points: fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 9 }),
  windows: fc.array(
    fc.record({ from: fc.integer({ min: 0, max: 12 }), length: fc.nat(6), rank: fc.nat(2) }),
    { maxLength: 9 },
  ),
})

const sorted = (points: readonly number[]): Float64Array => Float64Array.from(points).sort()

/** How many of each rank can be matched at best, the ranks before it at their best: by trying everything. */
function bestByRank(points: Float64Array, windows: readonly Window[]): number[] {
  let best = [0, 0, 0]
  const isBetter = (one: readonly number[]): boolean => {
    const place = one.findIndex((count, rank) => count !== best[rank])
    return place !== -1 && (one[place] ?? 0) > (best[place] ?? 0)
  }
  const seen = new Set<string>()
  const go = (at: number, used: number, counts: readonly number[]): void => {
    const state = `${at} ${used} ${counts.join()}`
    if (seen.has(state)) return
    seen.add(state)
    const window = windows[at]
    if (window === undefined) {
      if (isBetter(counts)) best = [...counts]
      return
    }
    go(at + 1, used, counts)
    for (const [place, point] of points.entries())
      if (point >= window.from && point <= window.until && (used & (1 << place)) === 0)
        go(
          at + 1,
          used | (1 << place),
          counts.map((count, rank) => (rank === window.rank ? count + 1 : count)),
        )
  }
  go(0, 0, [0, 0, 0])
  return best
}

describe('a matching', () => {
  test('gives no point twice, and each only to a window that holds it', () => {
    fc.assert(
      fc.property(cases, ({ points: unsorted, windows: drawn }) => {
        const points = sorted(unsorted)
        const windows = drawn.map(({ from, length, rank }) => ({ from, until: from + length, rank }))
        const matched = [...matchWindows(points, windows)]
        const taken = matched.filter((point) => point !== -1)
        expect(new Set(taken).size).toBe(taken.length)
        for (const [place, point] of matched.entries()) {
          if (point === -1) continue
          const { from = Infinity, until = -Infinity } = windows[place] ?? {}
          expect(points[point]).toBeGreaterThanOrEqual(from)
          expect(points[point]).toBeLessThanOrEqual(until)
        }
      }),
    )
  })

  test('has as many of each rank as any could have, tried out', () => {
    fc.assert(
      fc.property(cases, ({ points: unsorted, windows: drawn }) => {
        const points = sorted(unsorted)
        const windows = drawn.map(({ from, length, rank }) => ({ from, until: from + length, rank }))
        const counts = [0, 0, 0]
        for (const [place, point] of matchWindows(points, windows).entries()) {
          const rank = windows[place]?.rank ?? 0
          if (point !== -1) counts[rank] = (counts[rank] ?? 0) + 1
        }
        expect(counts).toEqual(bestByRank(points, windows))
      }),
      { numRuns: 150 },
    )
  })

  test('is quick where every window is full, and many are in vain', () => {
    const points = Float64Array.from({ length: 8000 }, (_, at) => at)
    const windows = Array.from({ length: 16_000 }, (_, at) => ({
      from: at / 2,
      until: at / 2 + 300,
      rank: at % 3,
    }))
    const started = process.cpuUsage()
    const matched = matchWindows(points, windows).filter((point) => point !== -1)
    expect(matched.length).toBe(8000)
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(2)
  })
})
