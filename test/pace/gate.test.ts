// The gate: pace, calls in flight, pauses and cancelling, on a virtual clock and through real Bottleneck.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { realClock } from '../../src/library/clock.ts'
import { createLimiter, createPolicy } from '../../src/pace/create.ts'
import { createGate } from '../../src/pace/gate.ts'
import { createDirectLane } from '../../src/pace/lane.ts'
import type { Limiter } from '../../src/pace/limiter.ts'
import type { Observation } from '../../src/pace/observation.ts'
import { parseRate } from '../../src/pace/rate.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const never = new AbortController().signal

function virtualLimiter(rate: string, concurrency: number): { limiter: Limiter; clock: VirtualClock } {
  const clock = new VirtualClock()
  const parsed = parseRate(rate)
  if (parsed === undefined) throw new Error(`${rate} is no rate`)
  return {
    limiter: createGate(
      createPolicy({ rate: parsed, concurrency: 'auto' }, seededRandom(1)),
      createDirectLane(),
      concurrency,
      clock,
    ),
    clock,
  }
}

/** Sends `count` calls that take `ms` each; returns when each was granted. */
async function sendAll(
  limiter: Limiter,
  clock: VirtualClock,
  { count, ms, answer }: { count: number; ms: number; answer?: (call: number) => Observation },
): Promise<number[]> {
  const grants: number[] = []
  const calls: Promise<void>[] = []
  for (let call = 0; call < count; call += 1) {
    const permit = await limiter.acquire(never)
    if (permit === undefined) throw new Error('no permit')
    grants.push(permit.grantedAt)
    calls.push(clock.sleep(ms).then(() => permit.settle(answer?.(call) ?? { kind: 'accepted' })))
  }
  await Promise.all(calls)
  return grants
}

describe('on a virtual clock', () => {
  test('at a known rate r no window of w seconds holds more than r·w + 1 sends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 2000 }),
        fc.integer({ min: 1, max: 5000 }),
        async (rate, ms, window) => {
          const { limiter, clock } = virtualLimiter(`${rate}/s`, 64)
          const grants = await clock.runUntil(sendAll(limiter, clock, { count: 60, ms }))
          for (const start of grants) {
            const inWindow = grants.filter((at) => at >= start && at < start + window).length
            expect(inWindow).toBeLessThanOrEqual((rate * window) / 1000 + 1)
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  test('never more calls in flight than allowed', async () => {
    const { limiter, clock } = virtualLimiter('unlimited', 3)
    let most = 0
    const grants = await clock.runUntil(
      sendAll(limiter, clock, {
        count: 20,
        ms: 100,
        answer: () => {
          most = Math.max(most, limiter.state().inFlight)
          return { kind: 'accepted' }
        },
      }),
    )
    expect(grants).toHaveLength(20)
    expect(most).toBe(3)
  })

  test('a named pause holds everybody back', async () => {
    const { limiter, clock } = virtualLimiter('unlimited', 1)
    const answer = (call: number): Observation =>
      call === 0 ? { kind: 'rateLimited', namedMs: 60_000 } : { kind: 'accepted' }
    const grants = await clock.runUntil(sendAll(limiter, clock, { count: 3, ms: 10, answer }))
    expect(grants).toEqual([0, 60_010, 60_020])
  })

  test('who stops waiting gets nothing, and takes nothing from the next', async () => {
    const { limiter, clock } = virtualLimiter('1/s', 1)
    const first = await limiter.acquire(never)
    const quitter = new AbortController()
    const given = limiter.acquire(quitter.signal)
    const next = limiter.acquire(never)
    quitter.abort()
    expect(await given).toBeUndefined()
    first?.settle({ kind: 'accepted' })
    expect((await clock.runUntil(next))?.grantedAt).toBeCloseTo(1010.1, 1)
    limiter.close()
    expect(clock.timers).toBe(0)
  })
})

test('whoever still waits when the limiter closes gets nothing, and no timer is left', async () => {
  const { limiter, clock } = virtualLimiter('1/h', 4)
  const first = await limiter.acquire(never)
  const waiting = [limiter.acquire(never), limiter.acquire(never)]
  limiter.close()
  expect(await Promise.all(waiting)).toEqual([undefined, undefined])
  first?.settle({ kind: 'accepted' })
  expect(clock.timers).toBe(0)
})

describe('two that share a limiter', () => {
  test('one that stops does not push the other, which stands at the line, out before its time', async () => {
    const clock = new VirtualClock()
    const rate = parseRate('1/s')
    if (rate === undefined) throw new Error('no rate')
    const policy = createPolicy({ rate, concurrency: 'auto' }, seededRandom(1))
    // A lane that is released half a second ahead, so that calls really wait at the line.
    const limiter = createGate(policy, { ...createDirectLane(), leadMs: 500 }, 8, clock)
    const first = await limiter.acquire(never)
    const patient = limiter.acquire(never)
    const quitter = new AbortController()
    const quitting = limiter.acquire(quitter.signal)
    await clock.runUntil(clock.sleep(700))
    quitter.abort()
    expect(await quitting).toBeUndefined()
    expect((await clock.runUntil(patient))?.grantedAt).toBeCloseTo(1010.1, 1)
    first?.settle({ kind: 'accepted' })
    limiter.close()
    expect(clock.timers).toBe(0)
  })
})

describe('through Bottleneck, in real time', () => {
  test('keeps the pace, runs calls side by side, and leaves nothing behind', async () => {
    const limiter = createLimiter(
      { rate: { kind: 'known', perSecond: 50 }, concurrency: 4 },
      realClock,
      Math.random,
    )
    const grants: number[] = []
    const calls: Promise<void>[] = []
    let [inFlight, most] = [0, 0]
    for (let call = 0; call < 20; call += 1) {
      const permit = await limiter.acquire(never)
      grants.push(permit?.grantedAt ?? Number.NaN)
      inFlight += 1
      most = Math.max(most, inFlight)
      calls.push(
        new Promise((resolve) => {
          setTimeout(() => {
            inFlight -= 1
            permit?.settle({ kind: 'accepted' })
            resolve()
          }, 60)
        }),
      )
    }
    await Promise.all(calls)
    const gaps = grants.slice(1).map((at, place) => at - (grants[place] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(20)
    expect(most).toBeLessThanOrEqual(4)
    limiter.close()
    expect(await limiter.acquire(never)).toBeUndefined()
  })
})
