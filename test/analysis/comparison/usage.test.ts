// Latency, quota and trend: what the runs took, side by side.
import { describe, expect, test } from 'vitest'
import { reviewLatency, trendOf, usageOf } from '../../../src/analysis/comparison/usage.ts'
import { turnsIn } from '../../support/compared-turns.ts'
import { makeSummary } from '../../support/summaries.ts'
import { makeTurn } from '../../support/turns.ts'

describe('latency', () => {
  /** One question a thread; service times in milliseconds, undefined for a timeout. */
  const latencyOf = (before: readonly (number | undefined)[], after: readonly (number | undefined)[]) => {
    const run = (times: readonly (number | undefined)[]) =>
      turnsIn(
        times.map((serviceMs) => (serviceMs === undefined ? 'timeout' : { state: 'grounded', serviceMs })),
      )
    const [baseline, candidate] = [run(before), run(after)]
    return reviewLatency(
      baseline.map((turn, place) => ({ baseline: [turn], candidate: candidate.slice(place, place + 1) })),
      1,
    )
  }
  const hundred = Array.from({ length: 100 }, (_, place) => place + 1)

  test('is by nearest rank over the turns that were answered in both runs', () => {
    const { turns, p50, p95 } = latencyOf(
      [...hundred, 9000, undefined],
      [...hundred.map((ms) => ms + 10), undefined, 1],
    )
    expect([turns, p50.baseline, p50.candidate, p95.baseline, p95.candidate]).toEqual([100, 50, 60, 95, 105])
    expect(p50.difference?.estimate).toBe(10)
  })

  test('tells a slower run from the same one, and gives no bounds where few threads lie beyond', () => {
    const [same, slower] = [
      latencyOf(hundred, hundred),
      latencyOf(
        hundred,
        hundred.map((ms) => ms * 2),
      ),
    ]
    expect(same.p95.p).toBeGreaterThan(0.5)
    expect(slower.p95.p).toBeLessThan(0.05)
    expect(latencyOf([1, 2, 3, 4], [2, 3, 4, 5]).p95).toMatchObject({
      difference: { low: null, high: null },
      p: null,
    })
  })

  test('of nothing is null', () => {
    expect(latencyOf([undefined], [1])).toMatchObject({ turns: 0, p95: { baseline: null, difference: null } })
  })
})

describe('quota', () => {
  const run = (turns: number, attempts: number) =>
    makeSummary(
      Array.from({ length: turns }, () =>
        makeTurn({
          usage: { attempts, certain: 1, possible: attempts - 1, notCounted: 0, min: 1, max: attempts },
        }),
      ),
    )

  test('calls counted, a turn, and of the allowance', () => {
    const allowance = { calls: 1000, period: 'month' } as const
    expect(usageOf(run(100, 1), allowance)).toEqual({
      min: 100,
      max: 100,
      callsPerTurn: 1,
      shareOfQuota: 0.1,
    })
    expect(usageOf(run(100, 2), allowance)).toEqual({
      min: 100,
      max: 200,
      callsPerTurn: 2,
      shareOfQuota: 0.2,
    })
    expect(usageOf(run(1, 1), null).shareOfQuota).toBeNull()
  })
})

test('the trend is of each run, baseline first, from three runs on', () => {
  const runs = [1, 2, 3].map(() => ({ summary: makeSummary([makeTurn()]) }))
  const trend = trendOf(runs)
  expect(trend.map(({ figure }) => figure).slice(0, 3)).toEqual(['coverage', 'passed', 'errors'])
  expect(trend[0]?.values).toEqual([1, 1, 1])
  expect(trend[1]?.values).toEqual([null, null, null])
  expect(trendOf(runs.slice(1))).toEqual([])
})
