// A policy that goes on from what another has learned: no ramp, no lost window, and a careful begin on another night.
import { describe, expect, test } from 'vitest'
import { createAdaptivePolicy } from '../../src/pace/adaptive-policy.ts'
import { forAnotherNight, type Learned } from '../../src/pace/learned.ts'
import type { Policy } from '../../src/pace/policy.ts'
import { bucketOf } from '../support/paced-bucket.ts'

const random = (): number => 0.5

/** Sends what the policy lets through to a bucket for so many milliseconds; a refusal comes after 5 ms. */
function sendFor(policy: Policy, from: number, ms: number, take: (now: number) => boolean): number[] {
  const sent: number[] = []
  let now = from
  for (;;) {
    now = Math.max(now, policy.nextSendAt(now, 0))
    if (now > from + ms) return sent
    const sending = policy.onSend(now, 1)
    sent.push(now)
    const isTaken = take(now)
    now += 5
    policy.onAnswer(
      now,
      sending,
      isTaken ? { kind: 'accepted' } : { kind: 'rateLimited', namedMs: undefined },
    )
  }
}

function learn(perSecond: number, take = bucketOf(perSecond, perSecond)): Learned {
  const policy = createAdaptivePolicy({ random })
  sendFor(policy, 0, 60_000, take)
  const learned = policy.learned?.(60_000)
  if (learned === undefined) throw new Error('the adaptive policy learns')
  return learned
}

describe('another process takes over', () => {
  test.each([3, 10, 40])('and goes on at the pace of a limit of %d a second', (perSecond) => {
    const take = bucketOf(perSecond, perSecond)
    const learned = learn(perSecond, take)
    expect(learned.capacity).toBeGreaterThan(0.9 * perSecond)
    const policy = createAdaptivePolicy({ random, beginning: { learned, at: 60_000 } })
    const sent = sendFor(policy, 60_000, 10_000, take)
    expect(sent.length / 10).toBeGreaterThan(0.85 * perSecond)
    expect(sent.length / 10).toBeLessThan(1.1 * perSecond)
  })

  test('in the middle of the ramp, and goes on from there', () => {
    const first = createAdaptivePolicy({ random })
    sendFor(first, 0, 3000, () => true)
    const learned = first.learned?.(3000)
    expect(learned).toMatchObject({ capacity: undefined, pace: first.state().pace })
    const next = createAdaptivePolicy({ random, ...(learned && { beginning: { learned, at: 0 } }) })
    expect(next.state().pace).toBe(first.state().pace)
  })

  test('of a limit that the first calls met by chance, and soon finds that it allows more', () => {
    const [recent, met] = [
      { calls: 3, ms: 2000 },
      { episodes: 2, refusals: 2 },
    ]
    const few = { capacity: 0.56, sustained: 0.56, memoryMs: 0, atOnce: undefined, met }
    const after = (calls: Learned['recent']): number => {
      const learned: Learned = { ...few, pace: 0.55, recent: calls }
      const policy = createAdaptivePolicy({ random, beginning: { learned, at: 0 } })
      return sendFor(policy, 0, 120_000, bucketOf(5, 5)).length
    }
    expect(after(recent)).toBeGreaterThan(4 * after({ calls: 40, ms: 40 / 0.56 }))
  })

  test('of a known rate, and is as fast as that again once nothing speaks against it', () => {
    const learned: Learned = { ...learn(10), pace: 2 }
    const policy = createAdaptivePolicy({ random, known: 5, beginning: { learned, at: 0 } })
    expect(policy.state().pace).toBeCloseTo(0.99 * 5, 10)
  })
})

describe('another night', () => {
  test('begins a little below what the limit let through, and leaves the ramp out', () => {
    const learned = forAnotherNight(learn(10))
    const policy = createAdaptivePolicy({ random, ...(learned && { beginning: { learned, at: 0 } }) })
    expect(policy.state().pace).toBeCloseTo(0.9 * (learned?.sustained ?? 0), 10)
    const sent = sendFor(policy, 0, 30_000, bucketOf(10, 10))
    expect(sent.length / 30).toBeGreaterThan(9)
  })

  test('begins anew where the limit was never met', () => {
    const policy = createAdaptivePolicy({ random })
    sendFor(policy, 0, 3000, () => true)
    const learned = policy.learned?.(3000)
    expect(learned && forAnotherNight(learned)).toBeUndefined()
  })

  test('keeps to a share of it without feeling for its edge', () => {
    const learned = forAnotherNight(learn(10))
    const policy = createAdaptivePolicy({
      random,
      share: 0.5,
      ...(learned && { beginning: { learned, at: 0 } }),
    })
    const sent = sendFor(policy, 0, 20_000, bucketOf(10, 10))
    expect(sent.length / 20).toBeCloseTo(0.5 * (learned?.sustained ?? 0), 0)
  })
})
