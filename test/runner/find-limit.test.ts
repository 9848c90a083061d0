// Protects the search for a limit, on a virtual clock: it finds known limits within its budget and stays within its bounds.
import { describe, expect, test } from 'vitest'
import type { AttemptResult } from '../../src/domain/attempt.ts'
import type { LimitRule } from '../../src/domain/limit.ts'
import type { FindLimitSettings } from '../../src/domain/load.ts'
import { shiftWindows } from '../analysis/limit/records.ts'
import { serverOf } from '../bench/pacing/named.ts'
import { concurrent, fixed, limited, type Server } from '../bench/pacing/servers.ts'
import { playSearch } from '../support/play-search.ts'
import { rejection } from '../support/recorded.ts'

const BUCKET = { kind: 'token-bucket', burst: 10 }
const PER_SECOND = { limit: 10, windowMs: 1000 }

describe('finds within the budget', () => {
  test.each<[string, (name: string) => Server, Readonly<Record<string, unknown>>, number?]>([
    ['fixed 20/2s', serverOf, { kind: 'window', limit: 20 }, 10],
    [
      '20 per 5 s, shifted',
      () => limited([shiftWindows(1317, fixed(20, 5))]),
      { kind: 'window', limit: 20 },
      4,
    ],
    ['sliding 40/10s', serverOf, { kind: 'window', windowMs: 10_000 }, 4],
    ['token bucket 5/s b10', serverOf, { kind: 'token-bucket', burst: 10 }, 5],
    ['GCRA 5/s b1', serverOf, { kind: 'token-bucket', burst: 1 }, 5],
    ['12 in flight', () => concurrent(12), { kind: 'concurrency', inFlight: 12 }],
  ])('%s', async (name, make, truth, perSecond) => {
    for (const seed of [1, 2, 3]) {
      const { stop, report, calls } = await playSearch(make(name), { seed })
      const { finding, verdict } = report
      expect([stop.kind, verdict]).toEqual(['done', 'known'])
      expect(finding).toMatchObject(truth)
      const rate = 'ratePerSecond' in finding ? finding.ratePerSecond : NaN
      if (perSecond !== undefined) expect(Math.abs(rate / perSecond - 1)).toBeLessThan(0.05)
      expect(calls.length).toBeLessThanOrEqual(2000)
    }
  })

  test.each<[string, object, number, (readonly LimitRule[])?]>([
    ['token bucket 10/s b10 + 200/min', BUCKET, 200 / 60, [PER_SECOND, { limit: 200, windowMs: 60_000 }]],
    ['40/10s + token bucket 10/s b10', BUCKET, 4],
    ['5/s + sliding 100/min', { kind: 'window', limit: 5 }, 100 / 60],
  ])('two rules: %s', async (name, quick, perSecond, announced = []) => {
    const { stop, report } = await playSearch(serverOf(name), { announced })
    const { finding, faster, secondRule, verdict } = report
    expect([stop.kind, verdict]).toEqual(['done', 'known'])
    expect('ratePerSecond' in finding && finding.ratePerSecond / perSecond).toBeCloseTo(1, 1)
    expect(faster).toMatchObject(quick)
    expect(secondRule.ruledOutToMs).toBeGreaterThanOrEqual(secondRule.neededMs)
  })

  // The budget or the time does not suffice to see the second rule, or to rule it out; an hour is announced.
  test.each<[string, Partial<FindLimitSettings>, (readonly LimitRule[])?]>([
    ['20/2s + 300/300s', { maxMs: 240_000 }],
    ['10/s + 200/min', { budget: 180 }],
    ['10/s', { budget: 400 }],
    ['10/s', { budget: 1000 }, [{ limit: 9000, windowMs: 3_600_000 }]],
  ])('is not sure of %s within %j', async (name, plan, announced = []) => {
    const { stop, report } = await playSearch(serverOf(name), { plan, announced })
    expect(stop.kind).not.toBe('done')
    expect(report.verdict).toBe('unknown')
  })

  test('a limit even if some calls fail', async () => {
    const answer = (number: number): AttemptResult | undefined =>
      number % 40 === 17 ? rejection(503) : undefined
    const { stop, report } = await playSearch(serverOf('20/2s'), { answer })
    expect(stop).toEqual({ kind: 'done' })
    expect(report.finding).toMatchObject({ kind: 'window', windowMs: 2000 })
  })
})

const gapsOf = (calls: readonly { readonly sentAt: number }[]): number[] =>
  calls.slice(1).map(({ sentAt }, place) => sentAt - (calls[place]?.sentAt ?? 0))

// scenarios/searches.yaml covers budget, time and a limit that is not reached.
describe('the search', () => {
  test('stays within calls in flight and calls per second', async () => {
    const plan = { budget: 120, maxInFlight: 4, maxPerSecond: 20 }
    const { calls } = await playSearch(limited([]), { plan })
    expect(Math.min(...gapsOf(calls))).toBeGreaterThanOrEqual(50 - 1e-6)
    const inFlight = calls.map(
      ({ sentAt }) => calls.filter((call) => call.sentAt <= sentAt && call.endedAt > sentAt).length,
    )
    expect(Math.max(...inFlight)).toBe(4)
  })

  test('waits as long as a 503 asks, and names it when nothing else comes', async () => {
    const error = { code: 'OVERLOADED', message: 'busy' }
    const headers = { 'retry-after': '20' }
    const busy: AttemptResult = { kind: 'rejection', httpStatus: 503, error, headers }
    const answer = (number: number) => (number === 10 ? busy : undefined)
    const { calls, stop } = await playSearch(limited([]), { plan: { budget: 60 }, answer })
    expect(stop).toEqual({ kind: 'done' })
    expect(Math.max(...gapsOf(calls))).toBeGreaterThan(19_000)
    const down = await playSearch(limited([]), { answer: () => busy })
    expect(down.stop).toMatchObject({ kind: 'gaveUp', over: 'failures', last: '503 OVERLOADED busy' })
    expect((down.calls.at(-1)?.sentAt ?? 0) - (down.calls[0]?.sentAt ?? 0)).toBeGreaterThan(60_000)
  })

  test('gives up where a quota ends, and names it', async () => {
    const error = { code: 'AI_QUOTA_EXCEEDED', message: 'used up' }
    const usedUp: AttemptResult = { kind: 'rejection', httpStatus: 429, error }
    const answer = (number: number) => (number > 100 ? usedUp : undefined)
    const { stop, report } = await playSearch(serverOf('40/10s'), { answer })
    expect(stop).toMatchObject({ kind: 'gaveUp', code: 'AI_QUOTA_EXCEEDED' })
    expect(report).toMatchObject({ verdict: 'unknown', exitCode: 4 })
    expect(report.reason).toMatch(/^only 429s for 3 min, each with AI_QUOTA_EXCEEDED: the quota is used up/)
  })

  test('sends only first turns, each in a new conversation', async () => {
    const { of } = await playSearch(limited([]), { plan: { budget: 4 } })
    const sent = of('intent').map(({ question, conversationId }) => [question, conversationId])
    expect(sent).toEqual([0, 2, 0, 2].map((question) => [question, null]))
  })
})
