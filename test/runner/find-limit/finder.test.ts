// The search for a limit, in virtual time: what it finds, and what it never does.
import { describe, expect, test } from 'vitest'
import { inferLimit } from '../../../src/analysis/limit/infer.ts'
import { createLimitFinder } from '../../../src/runner/find-limit/finder.ts'
import type { FindLimitOptions } from '../../../src/runner/find-limit/seek.ts'
import { seededRandom } from '../../../src/stats/random.ts'
import {
  bucket,
  cells,
  concurrent,
  fixed,
  limited,
  sliding,
  type Server,
} from '../../bench/pacing/servers.ts'
import { isRight, scenarios, searchOnce } from './measure.ts'
import { search } from './search.ts'
import { makeWorld } from './world.ts'

const START = Date.UTC(2026, 0, 5) + 4321

function seek(server: Server, more: Partial<FindLimitOptions> = {}, seed = 1) {
  const network = { leastMs: 10, jitterMs: 15, medianMs: 600, sigma: 0.5, random: seededRandom(seed) }
  const judge: FindLimitOptions['judge'] = (calls) => inferLimit(calls, START, { mayChange: false })
  const options = { budget: 400, maxMs: 1_800_000, maxInFlight: 24, maxPerSecond: 40, watchMs: 20_000, judge }
  return search({ ...options, ...more }, makeWorld(server, network, START))
}

describe('finds, within the budget', () => {
  test.each<[string, () => Server, object]>([
    ['20 in 2 s', () => limited([fixed(20, 2)]), { kind: 'fixed-window', sustainedPerSecond: { value: 10 } }],
    [
      '40 in any 10 s',
      () => limited([sliding(40, 10)]),
      { kind: 'sliding-window', windowMs: { value: 10_000 } },
    ],
    ['a bucket', () => limited([bucket(5, 10)]), { kind: 'token-bucket', burst: { value: 10 } }],
    ['evenly spaced calls', () => limited([cells(8, 4)]), { kind: 'token-bucket', burst: { value: 4 } }],
    ['5 at once', () => concurrent(5), { kind: 'concurrency', atOnce: { value: 5 } }],
  ])('%s', (_, make, found) => {
    const { finding, why, calls } = seek(make())
    expect(finding).toMatchObject(found)
    expect(why).toBe('known')
    expect(calls).toBeLessThanOrEqual(400)
  })

  test('in 15 of 16 searches the rate is within 5 %, window and burst within 20 %', () => {
    const right = Object.values(scenarios).flatMap((scenario) =>
      Array.from({ length: 4 }, (_, seed) => isRight(searchOnce(scenario, 500 + seed), scenario)),
    )
    expect(right).toHaveLength(16)
    expect(right.filter((one) => one).length).toBeGreaterThanOrEqual(15)
  })
})

describe('keeps its bounds', () => {
  const unlimited = (): Server => limited([])

  test('the budget is the last word: a limit too big to meet is said to be unmet, with what was let through', () => {
    const { calls, why, finding } = seek(limited([fixed(1000, 60)]), { budget: 100 })
    expect({ calls, why, kind: finding.kind }).toEqual({ calls: 100, why: 'unmet', kind: 'none-met' })
    expect(finding.sustainedPerSecond?.high).toBeNull()
  })

  test('met, but too dear to meet again: says so with low confidence', () => {
    const { calls, why, finding } = seek(limited([fixed(90, 3600)]), { budget: 150 })
    expect({ calls, why }).toEqual({ calls: 150, why: 'budget' })
    expect(finding.confidence).toBe('low')
  })

  test('time is one, too', () => {
    const { why, seconds } = seek(limited([fixed(60, 60)]), { maxMs: 5000 })
    expect(why).toBe('time')
    // The answers under way are waited for.
    expect(seconds).toBeLessThan(10)
  })

  test('never more calls in flight, and never faster, than is allowed', () => {
    const { seen } = seek(unlimited(), { budget: 120, maxInFlight: 4, maxPerSecond: 20 })
    const sent = seen.map(({ sentMs }) => sentMs)
    const gaps = sent.slice(1).map((at, place) => at - (sent[place] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(50 - 1e-6)
    const inFlight = sent.map((at) => seen.filter((call) => call.sentMs <= at && call.endedMs > at).length)
    expect(Math.max(...inFlight)).toBe(4)
  })

  test('a lost call counts toward the budget, and says nothing', () => {
    const finder = createLimitFinder({
      budget: 3,
      maxMs: 60_000,
      maxInFlight: 8,
      maxPerSecond: 10,
      watchMs: 0,
      judge: (calls) => inferLimit(calls, START),
    })
    let now = 0
    for (let sent = 0; sent < 3;) {
      const step = finder.next(now)
      if (step.kind === 'send') {
        finder.onLost(finder.onSend(now))
        sent += 1
      } else now += 100
    }
    expect(finder.next(now)).toEqual({ kind: 'done', why: 'unmet' })
    expect(finder.seen(now)).toEqual([])
  })
})
