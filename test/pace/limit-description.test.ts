// What is said of the limit after a run: simulated against limiters whose truth is known.
import { describe, expect, test } from 'vitest'
import type { InferredLimit } from '../../src/domain/limit.ts'
import { createAdaptivePolicy } from '../../src/pace/adaptive-policy.ts'
import { createAdmissions } from '../../src/pace/admissions.ts'
import { createLimitLog } from '../../src/pace/limit-description.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { bucket, cells, concurrent, fixed, limited, type Server } from '../bench/pacing/servers.ts'
import { simulate } from '../bench/pacing/simulate.ts'

const SEEDS = [1, 2, 3, 4, 5]

function inferred(server: Server, calls: number, seed: number): InferredLimit | undefined {
  const policy = createAdaptivePolicy({ random: seededRandom(1000 + seed) })
  let limit: InferredLimit | undefined
  const spy: typeof policy = {
    ...policy,
    onAnswer: (...answer) => {
      const change = policy.onAnswer(...answer)
      limit = change?.limit ?? limit
      return change
    },
  }
  simulate(spy, server, { calls, random: seededRandom(seed), medianMs: 2000, sigma: 0.6, cap: 64 })
  return limit
}

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

describe('after 1,000 calls the sustained rate is said within 10 %', () => {
  test.each<[string, () => Server, number, number | null]>([
    ['fixed window 60/60 s', () => limited([fixed(60, 60)]), 1, 60_000],
    ['fixed window 10/1 s', () => limited([fixed(10, 1)]), 10, null],
    ['token bucket 5/s, burst 20', () => limited([bucket(5, 20)]), 5, null],
    ['10/s and 200/min at once', () => limited([fixed(10, 1), fixed(200, 60)]), 200 / 60, 60_000],
    ['GCRA 8/s, burst 4', () => limited([cells(8, 4)]), 8, null],
  ])('%s', (_, make, perSecond, windowMs) => {
    const limits = SEEDS.map((seed) => inferred(make(), 1000, seed))
    const rates = limits.map((limit) => (limit?.perSecond ?? Number.NaN) / perSecond)
    expect(middle(rates)).toBeGreaterThan(0.9)
    expect(middle(rates)).toBeLessThan(1.1)
    // Where windows of the clock hide, single runs stray further: their turn is met by chance.
    expect(Math.min(...rates)).toBeGreaterThan(0.8)
    expect(Math.max(...rates)).toBeLessThan(1.2)
    const windows = limits.map((limit) => limit?.windowMs ?? null)
    if (windowMs === null) expect(windows).toEqual(SEEDS.map(() => null))
    // The memory is at least the window; a probe that came late makes it longer.
    else expect(Math.min(...windows.map(Number))).toBeGreaterThanOrEqual(windowMs - 100)
  })

  test('ten calls at once', () => {
    for (const seed of SEEDS)
      expect(inferred(concurrent(10), 1000, seed)).toMatchObject({
        kind: 'at-once',
        perSecond: null,
        atOnce: 10,
      })
  })

  test('of two limits at once the one that was not met cannot be known: 150 calls never reach 200/min', () => {
    const limit = inferred(limited([fixed(10, 1), fixed(200, 60)]), 150, 1)
    expect(limit?.perSecond).toBeGreaterThan(6)
    expect(limit?.windowMs).toBeNull()
  })
})

describe('the log of openings', () => {
  const known = { capacity: 14, memoryMs: 0, cap: Infinity, isStated: false }
  const evidence = { episodes: 1, refusals: 2 }

  test('says nothing before the first, then the last measurement', () => {
    const log = createLimitLog(createAdmissions())
    expect(log.describe({ ...known, ...evidence })).toBeUndefined()
    log.onOpening({ at: 1000, lastRefusalAt: 900, capacity: 7, isTurn: false })
    expect(log.describe({ ...known, ...evidence })).toMatchObject({ kind: 'rate', perSecond: 14 })
  })

  test('says the rate between openings once there are enough calls between them', () => {
    const admissions = createAdmissions()
    const log = createLimitLog(admissions)
    for (let call = 0; call <= 200; call += 1) admissions.add(call * 500)
    log.onOpening({ at: 0, lastRefusalAt: 0, capacity: 7, isTurn: true })
    log.onOpening({ at: 100_000, lastRefusalAt: 99_000, capacity: 7, isTurn: true })
    const window = { ...known, ...evidence, capacity: 7, memoryMs: 60_000 }
    expect(log.describe(window)).toMatchObject({ kind: 'window', perSecond: 2, windowMs: 60_000 })
    expect(log.describe({ ...window, isStated: true })).toMatchObject({ kind: 'stated', perSecond: 7 })
  })
})
