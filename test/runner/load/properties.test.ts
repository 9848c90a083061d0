// Protects properties of every load test, whatever the endpoint does: on a virtual clock, with cases from fast-check.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ThinkTime } from '../../../src/domain/load.ts'
import { dueTimes, goodAnswer, playLoad, type Played } from '../../support/play.ts'
import { makeThreads, rejection } from '../../support/recorded.ts'

const duration = fc.integer({ min: 0, max: 300 })
const thinkTime = fc.oneof(
  duration.map((ms): ThinkTime => ({ kind: 'constant', ms })),
  fc
    .tuple(duration, duration)
    .map(([fromMs, more]): ThinkTime => ({ kind: 'uniform', fromMs, toMs: fromMs + more })),
  fc
    .integer({ min: 1, max: 100 })
    .map((medianMs): ThinkTime => ({ kind: 'lognormal', medianMs, p95Ms: 3 * medianMs })),
)
const rate = fc.integer({ min: 0, max: 40 })
const stages = fc.array(fc.record({ durationMs: fc.integer({ min: 1, max: 800 }), from: rate, to: rate }), {
  minLength: 1,
  maxLength: 3,
})
const cases = fc.record({
  stages,
  thinkTime,
  seed: fc.nat(1_000_000),
  maxInFlight: fc.integer({ min: 1, max: 6 }),
  lengths: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }),
  serviceMs: fc.array(fc.integer({ min: 1, max: 600 }), { minLength: 1, maxLength: 8 }),
  failures: fc.array(fc.constantFrom('good' as const, 'good' as const, 429 as const, 500 as const), {
    minLength: 1,
    maxLength: 7,
  }),
})
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never

/** `freezeMs`: how long the process freezes after every fifth intent, so that many calls are due at once. */
async function play(one: Case, freezeMs = 0): Promise<Played> {
  const { stages: all, thinkTime: think, seed, maxInFlight, failures, serviceMs } = one
  return playLoad(makeThreads(...one.lengths), {
    load: { model: { kind: 'open', stages: all }, thinkTime: think, seed, maxInFlight },
    onRecord: (record, clock) => {
      if (record.kind === 'intent' && record.attempt % 5 === 0) clock.jump(freezeMs)
    },
    ms: ({ number }) => serviceMs[number % serviceMs.length] ?? 1,
    answer: (call) => {
      const failure = failures[call.number % failures.length]
      return failure === 429 || failure === 500 ? rejection(failure) : goodAnswer(call)
    },
  })
}

/** Times are recorded in thousandths of a millisecond, so sums are off by a few thousandths. */
const FINEST_MS = 0.02
/** When each arrival was due, sent or dropped. */
function dueMoments({ records, clock }: Played): Map<number, number> {
  const seen = new Map<number, number>()
  const origin = clock.wall() - clock.now()
  for (const record of records) {
    if (record.kind !== 'intent' && record.kind !== 'dropped') continue
    const { arrival = -1, dueAt = 0 } = record
    if (!seen.has(arrival)) seen.set(arrival, dueAt - origin)
  }
  return seen
}

/** Checks a property in 60 cases, each with one of these freezes in milliseconds. */
const property = (says: string, holds: (played: Played, one: Case) => void, freezes = [0]): void =>
  test(says, async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.constantFrom(...freezes), async (one, freezeMs) =>
        holds(await play(one, freezeMs), one),
      ),
      { numRuns: 60 },
    )
  })

property(
  'every arrival is sent or dropped once, and is due as the timetable says',
  (played, one) => {
    const expected = dueTimes(one.stages)
    const threads = makeThreads(...one.lengths)
    const first = new Set(threads.map(({ turns }) => turns[0].index))
    const begun = new Set(
      played.of('intent').map(({ arrival, question }) => (first.has(question) ? arrival : undefined)),
    )
    begun.delete(undefined)
    const dropped = played.of('dropped').map(({ arrival }) => arrival)
    expect(new Set(dropped).size).toBe(dropped.length)
    expect(dropped.some((arrival) => begun.has(arrival))).toBe(false)
    expect(begun.size + dropped.length).toBe(expected.length)
    const due = dueMoments(played)
    const misses = expected.map((moment, arrival) => Math.abs((due.get(arrival) ?? -1) - moment))
    expect(Math.max(0, ...misses)).toBeLessThan(FINEST_MS)
    // The timetable also determines thread and repeat.
    const placed = [...played.of('intent'), ...played.of('dropped')]
    const isPlaced = ({ arrival = -1, question, repeat }: (typeof placed)[number]): boolean =>
      threads[arrival % threads.length]?.turns.some(({ index }) => index === question) === true &&
      repeat === Math.floor(arrival / threads.length) + 1
    expect(placed.filter((record) => !isPlaced(record))).toEqual([])
  },
  [0, 150],
)

property('turns of a thread are sent in order, each due after the think time', (played, one) => {
  const results = new Map(played.of('result').map((record) => [record.attempt, record]))
  const threads = new Map<number, { question: number; dueAt: number; endedAt: number; kind: string }>()
  for (const { arrival = -1, question, dueAt = 0, attempt, at } of played.of('intent')) {
    const before = threads.get(arrival)
    const { responseMs = 0, result } = results.get(attempt) ?? {}
    if (before !== undefined) {
      const { thinkTime: think } = one
      expect([question, before.kind]).toEqual([before.question + 1, 'reply'])
      const thought = dueAt - before.endedAt
      if (think.kind === 'constant') expect(Math.abs(thought - think.ms)).toBeLessThan(FINEST_MS)
      else expect(thought).toBeGreaterThan(think.kind === 'uniform' ? think.fromMs - FINEST_MS : 0)
    }
    expect(at).toBeGreaterThan(dueAt - FINEST_MS)
    threads.set(arrival, { question, dueAt, endedAt: dueAt + responseMs, kind: result?.kind ?? '' })
  }
})

property(
  'calls in flight stay within the maximum, and a thread is dropped or waits only when it is reached',
  (played, one) => {
    let inFlight = 0
    for (const { kind } of played.records) {
      if (kind === 'intent') inFlight += 1
      if (kind === 'result') inFlight -= 1
      if (kind === 'dropped') expect(inFlight).toBe(one.maxInFlight)
      expect(inFlight).toBeLessThanOrEqual(one.maxInFlight)
    }
    const lags = played.of('result').map(({ lagMs = 1 }) => lagMs)
    expect(Math.max(0, ...lags)).toBeLessThan(FINEST_MS)
  },
)

property(
  'a new thread starts only when no later turn is due',
  (played, one) => {
    const first = new Set(makeThreads(...one.lengths).map(({ turns }) => turns[0].index))
    let newestAt = -Infinity
    for (const { question, at, dueAt = 0 } of played.of('intent')) {
      if (first.has(question)) newestAt = at
      else expect(dueAt).toBeGreaterThan(newestAt - FINEST_MS)
    }
  },
  [150],
)

property('response time is the sum of wait, lag and service time', (played) => {
  for (const { waitMs = 0, lagMs = 0, serviceMs = 0, responseMs = 0 } of played.of('result'))
    expect(Math.abs(responseMs - waitMs - lagMs - serviceMs)).toBeLessThan(FINEST_MS)
})

test('one seed gives the same records every time', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (one) => {
      expect((await play(one)).records).toEqual((await play(one)).records)
    }),
    { numRuns: 20 },
  )
})
