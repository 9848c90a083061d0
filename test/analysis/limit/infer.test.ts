// What is said of a limit whose truth is known: its kind, its figures, and what it does not know.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inferLimit } from '../../../src/analysis/limit/infer.ts'
import { limitFindingSchema, type CallSeen } from '../../../src/domain/limit.ts'
import {
  fixedWindow,
  gcra,
  type Limit,
  slidingWindow,
  tokenBucket,
} from '../../../src/sandbox/limits/models.ts'
import { recordOf, WALL_AT_ZERO } from './records.ts'

const habit = { perSecond: 8, calls: 500, seed: 1, jitterMs: 15, restEvery: 50, restMs: 6000 }
const infer = (calls: readonly CallSeen[]) => inferLimit(calls, WALL_AT_ZERO, { mayChange: false })

describe('names kind and figures', () => {
  test.each<[string, () => Limit, object]>([
    [
      '20 in 5 s of the clock',
      () => fixedWindow(20, 5000),
      { kind: 'fixed-window', rate: 4, burst: 20, windowMs: 5000 },
    ],
    [
      '20 in any 5 s',
      () => slidingWindow(20, 5000),
      { kind: 'sliding-window', rate: 4, burst: 20, windowMs: 5000 },
    ],
    [
      '4 a second, 12 at once',
      () => tokenBucket(4, 1000, 12),
      { kind: 'token-bucket', rate: 4, burst: 12, windowMs: undefined },
    ],
    [
      'evenly 5 a second, 3 at once',
      () => gcra(5, 1000, 3),
      { kind: 'token-bucket', rate: 5, burst: 3, windowMs: undefined },
    ],
  ])('%s', (_, make, truth) => {
    const finding = infer(recordOf([make()], habit))
    expect(limitFindingSchema.parse(finding)).toEqual(finding)
    expect({
      kind: finding.kind,
      rate: Math.round((finding.sustainedPerSecond?.value ?? 0) * 20) / 20,
      burst: finding.burst?.value,
      windowMs: finding.windowMs?.value,
    }).toEqual(truth)
    expect(finding.confidence).toBe('high')
    expect(finding.evidence.models[0]?.refusedExplained).toBe(1)
  })

  test('calls in flight', () => {
    let now = 0
    const ends: number[] = []
    const calls = Array.from({ length: 300 }, (_, place): CallSeen => {
      now += place % 40 === 0 ? 2000 : 70
      const refused = ends.filter((end) => end > now + 5).length >= 6
      const endedMs = refused ? now + 10 : now + 300 + ((place * 37) % 400)
      if (!refused) ends.push(endedMs - 5)
      return { sentMs: now, endedMs, refused }
    })
    const finding = infer(calls)
    expect(finding).toMatchObject({
      kind: 'concurrency',
      atOnce: { value: 6 },
      sustainedPerSecond: null,
      burst: null,
    })
  })
})

describe('says what it does not know', () => {
  test('nothing refused: at least what was let through', () => {
    const finding = infer(recordOf([], habit))
    expect(finding).toMatchObject({
      kind: 'none-met',
      tiers: [],
      confidence: 'low',
      reasons: ['no-refusal'],
      windowMs: null,
    })
    const { sustainedPerSecond, evidence } = finding
    expect(sustainedPerSecond).toEqual({
      value: evidence.heldPerSecond,
      low: evidence.heldPerSecond,
      high: null,
    })
    expect(evidence.heldPerSecond).toBeCloseTo((499 * 1000) / (evidence.heldForMs ?? 0), 9)
  })

  test.each<[string, readonly CallSeen[]]>([
    ['no call', []],
    ['one call', [{ sentMs: 0, endedMs: 100, refused: false }]],
    ['one refusal', [{ sentMs: 0, endedMs: 20, refused: true }]],
    [
      'one of each',
      [
        { sentMs: 0, endedMs: 100, refused: false },
        { sentMs: 5, endedMs: 20, refused: true },
      ],
    ],
  ])('%s: low confidence, no invented rate', (_, calls) => {
    const finding = infer(calls)
    expect(limitFindingSchema.parse(finding)).toEqual(finding)
    expect(finding.confidence).toBe('low')
  })

  test('a single closing tells no window for sure', () => {
    const calls = recordOf([fixedWindow(20, 60_000)], { ...habit, calls: 60, restEvery: 1000 })
    expect(infer(calls)).toMatchObject({ confidence: 'low' })
    expect(infer(calls).reasons).toContain('one-episode')
  })
})

test('a limit that changes: the finding is of the time after', () => {
  const before = recordOf([tokenBucket(6, 1000, 10)], { ...habit, perSecond: 9, calls: 300 })
  const shift = (before.at(-1)?.endedMs ?? 0) + 1000
  const after = recordOf([tokenBucket(2, 1000, 10)], { ...habit, seed: 2, calls: 240 })
  const later = after.map((call) => ({ ...call, sentMs: call.sentMs + shift, endedMs: call.endedMs + shift }))
  const finding = inferLimit([...before, ...later], WALL_AT_ZERO)
  expect(finding.reasons).toContain('limit-changed')
  expect(finding.sustainedPerSecond?.value).toBeCloseTo(2, 1)
  expect((finding.evidence.changedAtMs ?? 0) / shift).toBeCloseTo(1, 0)
})

describe('laws', () => {
  const sizes = fc.record({
    limit: fc.integer({ min: 2, max: 30 }),
    seconds: fc.integer({ min: 2, max: 12 }),
    seed: fc.nat(),
  })

  test('a record without a network is explained by its own model to the last call', () => {
    fc.assert(
      fc.property(sizes, fc.constantFrom('fixed', 'sliding', 'bucket'), ({ limit, seconds, seed }, kind) => {
        const windowMs = seconds * 1000
        const made = {
          fixed: fixedWindow,
          sliding: slidingWindow,
          bucket: (n: number, ms: number) => tokenBucket(n, ms, n),
        }
        const perSecond = Math.max(2, (2 * limit) / seconds)
        const calls = recordOf([made[kind](limit, windowMs)], {
          ...habit,
          calls: 300,
          seed,
          jitterMs: 0,
          perSecond,
        })
        const [best] = infer(calls).evidence.models
        expect(best?.acceptedExplained).toBeGreaterThan(0.99)
        expect(best?.refusedExplained ?? 1).toBeGreaterThan(0.95)
      }),
      { numRuns: 15 },
    )
  })

  test('a shift of the whole record, clock and all, changes no figure', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), (shift) => {
        const calls = recordOf([fixedWindow(20, 5000)], { ...habit, calls: 200 })
        const moved = calls.map((call) => ({
          ...call,
          sentMs: call.sentMs + shift,
          endedMs: call.endedMs + shift,
        }))
        const [one, other] = [infer(calls), inferLimit(moved, WALL_AT_ZERO - shift, { mayChange: false })]
        expect(other.kind).toBe(one.kind)
        expect(other.burst).toEqual(one.burst)
        expect(other.windowMs?.value).toBeCloseTo(one.windowMs?.value ?? 0, 3)
      }),
      { numRuns: 5 },
    )
  })
})

test('a million calls are read in bounded time', () => {
  const calls = Array.from({ length: 1_000_000 }, (_, place): CallSeen => {
    const refused = place % 100 >= 60
    return { sentMs: place * 10, endedMs: place * 10 + (refused ? 5 : 50), refused }
  })
  const finding = infer(calls)
  expect(finding.evidence).toMatchObject({ calls: 1_000_000, refusals: 400_000 })
  expect(finding.evidence.callsUsed).toBeLessThanOrEqual(5000)
})
