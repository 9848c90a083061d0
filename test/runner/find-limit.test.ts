// Protects the search for a limit, on a virtual clock: it finds known limits within its budget and stays within its bounds.
import { describe, expect, test } from 'vitest'
import { inferLimit } from '../../src/analysis/limit/infer.ts'
import { estimateLimit, findSecondRule, isRuledOut } from '../../src/analysis/limit/second-rule.ts'
import type { AttemptResult } from '../../src/domain/attempt.ts'
import { callVerdict, type LimitCall, type LimitRule } from '../../src/domain/limit.ts'
import type { FindLimitSettings } from '../../src/domain/load.ts'
import { findLimit } from '../../src/runner/limit/find-limit.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { shiftWindows } from '../analysis/limit/records.ts'
import { bucket, cells, concurrent, fixed, limited, sliding, type Server } from '../bench/pacing/servers.ts'
import { goodAnswer, play } from '../support/play.ts'
import { makeThreads, rejection } from '../support/recorded.ts'

/** Milliseconds: median time of an answer, and delay and jitter of one way to the endpoint. */
const [MEDIAN_MS, ONE_WAY_MS, JITTER_MS] = [600, 8, 4]

interface SearchScript {
  readonly plan?: Partial<FindLimitSettings>
  readonly seed?: number
  readonly announced?: readonly LimitRule[]
  /** Replaces the server's answer unless undefined. */
  readonly answer?: (number: number) => AttemptResult | undefined
}

async function playSearch(server: Server, script: SearchScript = {}) {
  const { plan, seed = 1, answer = () => undefined, announced = [] } = script
  const estimate = (calls: readonly LimitCall[]) => estimateLimit(calls, announced)
  const random = seededRandom(seed)
  const oneWay = (): number => ONE_WAY_MS + JITTER_MS * random()
  const ended: number[] = []
  const { stop, calls, of } = await play(
    goodAnswer,
    {
      serve: (call, time, done) => {
        const comeBack = (result: AttemptResult) =>
          time.after(oneWay(), () => {
            ended[call.number] = time.now()
            done(result)
          })
        time.after(oneWay(), () => {
          const given = answer(call.number)
          if (given !== undefined || !server.arrive(time.wall()).admitted) comeBack(given ?? rejection(429))
          else
            time.after(MEDIAN_MS * (0.4 + 1.2 * random()), () => {
              server.finish(time.wall())
              comeBack(goodAnswer(call))
            })
        })
      },
    },
    async (ports, time, signal) => {
      time.jump(Math.floor(random() * 100_000))
      const bounds = { budget: 2000, maxMs: 1_800_000, maxInFlight: 64, maxPerSecond: 50 }
      const rules = { runId: 'run', giveUpAfterMs: 1_800_000, rotatingIds: false }
      return findLimit(makeThreads(2, 1), ports, { ...bounds, ...rules, ...plan }, estimate, signal)
    },
  )
  const seen = of('result').map(({ at, serviceMs, result }): LimitCall => ({
    sentAt: at - serviceMs,
    endedAt: at,
    verdict: callVerdict(result) ?? 'unknown',
  }))
  const times = calls.map((call) => ({ sentAt: call.at, endedAt: ended[call.number] ?? Infinity }))
  const { finding, faster } = inferLimit(seen)
  return { stop, finding, faster, secondRule: findSecondRule(finding, seen, announced), of, calls: times }
}

describe('finds within the budget', () => {
  test.each<[string, () => Server, Readonly<Record<string, unknown>>, number?]>([
    ['20 per 2 s', () => limited([fixed(20, 2)]), { kind: 'fixed-window', aligned: true, limit: 20 }, 10],
    [
      '20 per 5 s, not aligned',
      () => limited([shiftWindows(1317, fixed(20, 5))]),
      { kind: 'fixed-window', aligned: false, limit: 20 },
      4,
    ],
    ['40 in any 10 s', () => limited([sliding(40, 10)]), { kind: 'sliding-window', windowMs: 10_000 }, 4],
    ['bucket of 10, 5/s', () => limited([bucket(5, 10)]), { kind: 'token-bucket', burst: 10 }, 5],
    ['GCRA of 1, 5/s', () => limited([cells(5, 1)]), { kind: 'token-bucket', burst: 1 }, 5],
    ['12 in flight', () => concurrent(12), { kind: 'concurrency', inFlight: 12 }],
  ])('%s', async (_, make, truth, perSecond) => {
    for (const seed of [1, 2, 3]) {
      const { stop, finding, calls } = await playSearch(make(), { seed })
      expect(stop).toEqual({ kind: 'done' })
      expect(finding).toMatchObject(truth)
      const rate = 'ratePerSecond' in finding ? finding.ratePerSecond : undefined
      if (perSecond !== undefined) expect(Math.abs((rate ?? NaN) / perSecond - 1)).toBeLessThan(0.05)
      expect(calls.length).toBeLessThanOrEqual(2000)
    }
  })

  test.each<[string, () => Server, object, number, (readonly LimitRule[])?]>([
    [
      'bucket of 10, 10/s, and 200 per min, announced',
      () => limited([bucket(10, 10), fixed(200, 60)]),
      { kind: 'token-bucket', burst: 10 },
      200 / 60,
      [
        { limit: 10, windowMs: 1000 },
        { limit: 200, windowMs: 60_000 },
      ],
    ],
    [
      '40 per 10 s, and bucket of 10, 10/s',
      () => limited([fixed(40, 10), bucket(10, 10)]),
      { kind: 'token-bucket', burst: 10 },
      4,
    ],
    [
      '5 per s, and 100 in any min',
      () => limited([fixed(5, 1), sliding(100, 60)]),
      { kind: 'fixed-window', limit: 5 },
      100 / 60,
    ],
  ])('two rules: %s', async (_, make, quick, perSecond, announced = []) => {
    const { stop, finding, faster, secondRule } = await playSearch(make(), { announced })
    expect(stop).toEqual({ kind: 'done' })
    expect(finding).toMatchObject({ confidence: 'high', explained: 1 })
    expect('ratePerSecond' in finding && finding.ratePerSecond / perSecond).toBeCloseTo(1, 1)
    expect(faster).toMatchObject(quick)
    expect(secondRule.ruledOutToMs).toBeGreaterThanOrEqual(secondRule.neededMs)
  })

  // The budget or the time does not suffice to see the second rule, or to rule it out.
  test.each<[string, () => Server, Partial<FindLimitSettings>, (readonly LimitRule[])?]>([
    ['20 per 2 s, and 300 per 5 min', () => limited([fixed(20, 2), fixed(300, 300)]), { maxMs: 240_000 }],
    ['10 per s, and 200 per min', () => limited([fixed(10, 1), fixed(200, 60)]), { budget: 180 }],
    ['10 per s, alone', () => limited([fixed(10, 1)]), { budget: 400 }],
    [
      '10 per s, and an announced hour',
      () => limited([fixed(10, 1)]),
      { budget: 1000 },
      [{ limit: 9000, windowMs: 3_600_000 }],
    ],
  ])('is not sure of %s', async (_, make, plan, announced = []) => {
    const { stop, finding, secondRule } = await playSearch(make(), { plan, announced })
    expect(stop.kind).not.toBe('done')
    const isSure = 'confidence' in finding && finding.confidence === 'high' && isRuledOut(secondRule)
    expect(isSure).toBe(false)
  })

  test('a limit even if some calls fail', async () => {
    const answer = (number: number): AttemptResult | undefined =>
      number % 40 === 17 ? rejection(503) : undefined
    const { stop, finding } = await playSearch(limited([fixed(20, 2)]), { answer })
    expect(stop).toEqual({ kind: 'done' })
    expect(finding).toMatchObject({ kind: 'fixed-window', windowMs: 2000 })
  })
})

// scenarios/searches.ts covers budget, time and a limit that is not reached.
describe('the search', () => {
  test('stays within calls in flight and calls per second', async () => {
    const plan = { budget: 120, maxInFlight: 4, maxPerSecond: 20 }
    const { calls } = await playSearch(limited([]), { plan })
    const gaps = calls.slice(1).map(({ sentAt }, place) => sentAt - (calls[place]?.sentAt ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(50 - 1e-6)
    const inFlight = calls.map(
      ({ sentAt }) => calls.filter((call) => call.sentAt <= sentAt && call.endedAt > sentAt).length,
    )
    expect(Math.max(...inFlight)).toBe(4)
  })

  test('waits as long as a 503 asks, and names it when nothing else comes', async () => {
    const busy: AttemptResult = {
      kind: 'rejection',
      httpStatus: 503,
      error: { code: 'OVERLOADED', message: 'busy' },
      headers: { 'retry-after': '20' },
    }
    const { calls, stop } = await playSearch(limited([]), {
      plan: { budget: 60 },
      answer: (number) => (number === 10 ? busy : undefined),
    })
    expect(stop).toEqual({ kind: 'done' })
    const gaps = calls.slice(1).map(({ sentAt }, place) => sentAt - (calls[place]?.sentAt ?? 0))
    expect(Math.max(...gaps)).toBeGreaterThan(19_000)
    const down = await playSearch(limited([]), { answer: () => busy })
    expect(down.stop).toMatchObject({ kind: 'gaveUp', over: 'failures', last: '503 OVERLOADED busy' })
    expect((down.calls.at(-1)?.sentAt ?? 0) - (down.calls[0]?.sentAt ?? 0)).toBeGreaterThan(60_000)
  })

  test('sends only first turns, each in a new conversation', async () => {
    const { of } = await playSearch(limited([]), { plan: { budget: 4 } })
    const sent = of('intent').map(({ question, conversationId }) => [question, conversationId])
    expect(sent).toEqual([0, 2, 0, 2].map((question) => [question, null]))
  })
})
