// What is known of the limit after a run: simulated against limiters whose truth is known; and what another run begins with.
import { describe, expect, test } from 'vitest'
import { capOf } from '../../src/pace/in-flight.ts'
import { adopt, forAnotherRun } from '../../src/pace/learned.ts'
import type { Paced, Rules } from '../../src/pace/state.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { ours } from '../bench/pacing/ours.ts'
import { bucket, cells, concurrent, fixed, limited, type Server } from '../bench/pacing/servers.ts'
import { simulate } from '../bench/pacing/simulate.ts'

const SEEDS = [1, 2, 3, 4, 5]
const auto: Rules = { rate: { kind: 'auto' }, concurrency: 64, share: 1 }
const known: Rules = { ...auto, rate: { kind: 'known', perSecond: 5 } }

function learn(server: Server, calls: number, seed = 1): Paced {
  const policy = ours(seededRandom(1000 + seed))
  simulate(policy, server, { calls, random: seededRandom(seed), medianMs: 2000, sigma: 0.6, cap: 64 })
  const { paced } = policy.state
  if (paced === null) throw new Error('nothing was paced')
  return paced
}
const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

describe('after 1,000 calls the sustained rate is known within 10 %', () => {
  test.each<[string, () => Server, number, number | null]>([
    ['fixed window 60/60 s', () => limited([fixed(60, 60)]), 1, 60_000],
    ['token bucket 5/s, burst 20', () => limited([bucket(5, 20)]), 5, null],
    ['10/s and 200/min at once', () => limited([fixed(10, 1), fixed(200, 60)]), 200 / 60, 60_000],
    ['GCRA 8/s, burst 4', () => limited([cells(8, 4)]), 8, null],
  ])('%s', (_, make, perSecond, windowMs) => {
    const learned = SEEDS.map((seed) => learn(make(), 1000, seed))
    const rates = learned.map(({ speed }) => speed.capacity / perSecond)
    expect(middle(rates)).toBeGreaterThan(0.9)
    expect(middle(rates)).toBeLessThan(1.1)
    // Where windows of the clock hide, single runs stray further: their turn is met by chance.
    expect(Math.min(...rates)).toBeGreaterThan(0.8)
    expect(Math.max(...rates)).toBeLessThan(1.2)
    const windows = learned.map(({ meter }) => meter.memoryMs)
    if (windowMs === null) expect(windows).toEqual(SEEDS.map(() => 0))
    // A probe that came late makes it longer; a process that began in the middle of a window, shorter.
    else expect(Math.min(...windows)).toBeGreaterThanOrEqual(0.9 * windowMs)
  })

  test('ten calls at once', () => {
    for (const seed of SEEDS) expect(capOf(learn(concurrent(10), 1000, seed).inFlightLimit)).toBe(10)
  })

  test('of two limits at once the one that was not met cannot be known: 150 calls never reach 200/min', () => {
    const { speed, meter } = learn(limited([fixed(10, 1), fixed(200, 60)]), 150)
    expect(speed.capacity).toBeGreaterThan(6)
    expect(meter.memoryMs).toBe(0)
  })
})

describe('another run', () => {
  test('begins a little below what the limit accepted, without a ramp', () => {
    const before = learn(limited([bucket(10, 10)]), 600)
    const { speed, meter } = forAnotherRun(before, auto, 1000)
    const allowed = before.speed.capacity
    expect(speed.pace).toBeCloseTo(0.9 * allowed, 10)
    expect(speed).toMatchObject({ capacity: allowed, growth: { kind: 'plateau' }, nextAt: null })
    expect(meter).toMatchObject({ memoryMs: before.meter.memoryMs, openedAt: null })
  })

  test('begins anew where the limit was never met', () => {
    const { speed } = forAnotherRun(learn(limited([]), 50), auto, 1000)
    expect(speed).toMatchObject({ pace: 4, growth: { kind: 'ramp' } })
  })

  test('keeps to a share of it without feeling for its edge, and to a known rate below it', () => {
    const before = learn(limited([bucket(10, 10)]), 600)
    const half = forAnotherRun(before, { ...auto, share: 0.5 }, 0).speed
    expect(half).toMatchObject({ pace: 0.5 * half.capacity, growth: null })
    expect(forAnotherRun(before, known, 0).speed).toMatchObject({ pace: 4.95, growth: null, known: 5 })
  })
})

test('other rules in the middle of a run: a known rate holds at once, and without it the search goes on', () => {
  const paced = learn(limited([bucket(10, 10)]), 600)
  const { capacity } = paced.speed
  adopt(paced, known, 1e6)
  expect(paced.speed).toMatchObject({ pace: 4.95, growth: null, known: 5 })
  adopt(paced, auto, 1e6)
  expect(paced.speed).toMatchObject({ known: null, pace: 4.95, capacity, growth: { kind: 'plateau' } })
})
