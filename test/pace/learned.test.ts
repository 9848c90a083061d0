// Protects the pace with which the next run, or a run with changed rules, starts.
import { describe, expect, test } from 'vitest'
import { adopt, forAnotherRun } from '../../src/pace/learned.ts'
import type { Paced, Rules } from '../../src/pace/state.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { ours } from '../bench/pacing/ours.ts'
import { bucket, limited, type Server } from '../bench/pacing/servers.ts'
import { simulate } from '../bench/pacing/simulate.ts'

const auto: Rules = { rate: { kind: 'auto' }, concurrency: 64, share: 1 }
const known: Rules = { ...auto, rate: { kind: 'known', perSecond: 5 } }

function learn(server: Server, calls: number): Paced {
  const policy = ours(seededRandom(1001))
  simulate(policy, server, { calls, random: seededRandom(1), medianMs: 2000, sigma: 0.6, cap: 64 })
  const { paced } = policy.state
  if (paced === null) throw new Error('nothing was paced')
  return paced
}

describe('the next run', () => {
  test('starts a little below the accepted rate, without a ramp', () => {
    const before = learn(limited([bucket(10, 10)]), 600)
    const { speed, meter } = forAnotherRun(before, auto, 1000)
    const allowed = before.speed.capacity
    expect(speed.pace).toBeCloseTo(0.9 * allowed, 10)
    expect(speed).toMatchObject({ capacity: allowed, growth: { kind: 'plateau' }, nextAt: null })
    expect(meter).toMatchObject({ memoryMs: before.meter.memoryMs, openedAt: null })
  })

  test('starts from the beginning if the limit was never reached', () => {
    const { speed } = forAnotherRun(learn(limited([]), 50), auto, 1000)
    expect(speed).toMatchObject({ pace: 4, growth: { kind: 'ramp' } })
  })

  test('uses a share of the limit without searching above, and a known rate below the limit', () => {
    const before = learn(limited([bucket(10, 10)]), 600)
    const half = forAnotherRun(before, { ...auto, share: 0.5 }, 0).speed
    expect(half).toMatchObject({ pace: 0.5 * half.capacity, growth: null })
    expect(forAnotherRun(before, known, 0).speed).toMatchObject({ pace: 4.95, growth: null, known: 5 })
  })
})

test('changed rules during a run: a known rate applies at once, and without it the search continues', () => {
  const paced = learn(limited([bucket(10, 10)]), 600)
  const { capacity } = paced.speed
  adopt(paced, known, 1e6)
  expect(paced.speed).toMatchObject({ pace: 4.95, growth: null, known: 5 })
  adopt(paced, auto, 1e6)
  expect(paced.speed).toMatchObject({ known: null, pace: 4.95, capacity, growth: { kind: 'plateau' } })
})
