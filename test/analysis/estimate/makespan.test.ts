// Time of threads behind a pace: by hand, as laws, and against the real runner under a virtual clock.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  boundsOf,
  makespanOf,
  makespanOfFirst,
  simulateMakespan,
  type Lanes,
} from '../../../src/analysis/estimate/makespan.ts'
import type { AssistRequest } from '../../../src/domain/attempt.ts'
import { createPolicy } from '../../../src/pace/create.ts'
import { createGate } from '../../../src/pace/gate.ts'
import { createDirectLane } from '../../../src/pace/lane.ts'
import { runThreads } from '../../../src/runner/run.ts'
import { makeThreads } from '../../support/questions.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { sendBy } from '../../support/send-by.ts'

test.each([
  // One thread waits for itself, however many calls may be in flight.
  { chains: [[100, 100, 100]], gapMs: 0, concurrency: 64, bounds: [0, 300, 300 / 64], takes: 300 },
  { chains: [[100, 100]], gapMs: 250, concurrency: 64, bounds: [350, 350, 200 / 64], takes: 350 },
  // Four calls, 1 a second: the last starts at 3 s.
  {
    chains: [[500], [500], [500], [500]],
    gapMs: 1000,
    concurrency: 9,
    bounds: [3500, 500, 2000 / 9],
    takes: 3500,
  },
  { chains: [[300], [300], [300]], gapMs: 0, concurrency: 1, bounds: [0, 300, 900], takes: 900 },
  // The long thread goes first: 3 and then 1 beside it; the other way round would take 400.
  { chains: [[100], [100, 100, 100]], gapMs: 0, concurrency: 1.5, bounds: [0, 300, 400 / 1.5], takes: 300 },
  { chains: [], gapMs: 10, concurrency: 1, bounds: [0, 0, 0], takes: 0 },
])(
  '$chains, one start in $gapMs ms, $concurrency at once',
  ({ chains, gapMs, concurrency, bounds, takes }) => {
    const found = boundsOf(chains, { gapMs, concurrency }, 1)
    expect([found.pace, found.longestThread, found.concurrency]).toEqual(bounds)
    expect(simulateMakespan(chains, { gapMs, concurrency }, 1)).toBe(takes)
  },
)

const chainsArbitrary = fc.array(fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 25,
})
const lanesArbitrary = fc.record({
  gapMs: fc.constantFrom(0, 7, 50, 400),
  concurrency: fc.integer({ min: 1, max: 12 }),
})

test('so many calls of very many repeats take as long as they do alone', () => {
  const lanes = { gapMs: 100, concurrency: 4 }
  for (const calls of [1, 7, 1000, 250_000])
    expect(makespanOfFirst(calls, [[1000]], lanes, 999_999_999_999_999)).toBe(
      makespanOf([[1000]], lanes, calls),
    )
  const [many, alone] = [3_000_000, 3_000_000].map((calls, place) =>
    place === 0 ? makespanOfFirst(calls, [[1000]], lanes, 1e15) : makespanOf([[1000]], lanes, calls),
  )
  expect((many ?? 0) / (alone ?? 1)).toBeCloseTo(1, 4)
})

test('no order undercuts the bounds, and this one stays within the work that there is', () => {
  fc.assert(
    fc.property(chainsArbitrary, lanesArbitrary, (chains, lanes) => {
      const { pace, longestThread, concurrency } = boundsOf(chains, lanes, 1)
      const takes = simulateMakespan(chains, lanes, 1)
      expect(takes).toBeGreaterThanOrEqual(Math.max(pace, longestThread, concurrency) - 1e-6)
      const calls = chains.flat()
      const work = calls.reduce((sum, ms) => sum + ms, 0)
      expect(takes).toBeLessThanOrEqual(work + calls.length * lanes.gapMs)
    }),
  )
})

test('repeats take what as many threads of their own would', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.array(fc.oneof(fc.nat({ max: 5 }), fc.double({ min: 0, max: 900, noNaN: true })), {
          maxLength: 6,
        }),
        {
          maxLength: 12,
        },
      ),
      fc.integer({ min: 1, max: 6 }),
      lanesArbitrary,
      (chains, repeats, lanes) => {
        const each = Array.from({ length: repeats }, () => chains).flat()
        expect(simulateMakespan(chains, lanes, repeats)).toBe(simulateMakespan(each, lanes, 1))
        expect(boundsOf(chains, lanes, repeats)).toEqual(boundsOf(each, lanes, 1))
      },
    ),
    { numRuns: 1000 },
  )
})

/** Lanes that fill within the repeats that are followed. */
const manyRepeatsOf = (answers: fc.Arbitrary<number>) =>
  fc.record({
    chains: fc.array(fc.array(answers, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 }),
    repeats: fc.integer({ min: 100, max: 400 }),
    lanes: fc.record({
      gapMs: fc.constantFrom(0, 7, 50, 1000 / 0.99),
      concurrency: fc.integer({ min: 1, max: 12 }),
    }),
  })

/** The same once with a part of the repeats followed, and once with all. */
const bothWays = (chains: readonly (readonly number[])[], lanes: Lanes, repeats: number) => {
  const mostFollowed = 80 * chains.flat().length
  return {
    carriedOn: makespanOf(chains, lanes, repeats, mostFollowed),
    followed: makespanOf(chains, lanes, repeats, Infinity),
  }
}

test('of equal answers, or behind the pace alone, many repeats are carried on to what following each of them gives', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.constantFrom(1, 90, 3000).chain((ms) => manyRepeatsOf(fc.constant(ms))),
        manyRepeatsOf(fc.integer({ min: 0, max: 900 })).map(({ chains, repeats, lanes }) => ({
          chains,
          repeats,
          // So slow that the longest answer holds nobody up.
          lanes: { ...lanes, gapMs: 900 / lanes.concurrency + 1 },
        })),
      ),
      ({ chains, repeats, lanes }) => {
        const { carriedOn, followed } = bothWays(chains, lanes, repeats)
        expect(followed).toBe(simulateMakespan(chains, lanes, repeats))
        expect(carriedOn / followed).toBeCloseTo(1, 9)
      },
    ),
    { numRuns: 400 },
  )
})

test('of any answers, many repeats are carried on to within a few answers a turn, and to no less than the bounds', () => {
  fc.assert(
    fc.property(
      manyRepeatsOf(fc.oneof(fc.nat({ max: 5 }), fc.double({ min: 0, max: 900, noNaN: true }))),
      ({ chains, repeats, lanes }) => {
        const { carriedOn, followed } = bothWays(chains, lanes, repeats)
        const turns = Math.max(...chains.map(({ length }) => length))
        const most = Math.max(lanes.gapMs, ...chains.flat())
        expect(Math.abs(carriedOn - followed)).toBeLessThanOrEqual(3 * turns * most + followed * 1e-9)
        const { pace, longestThread, concurrency } = boundsOf(chains, lanes, repeats)
        expect(carriedOn).toBeGreaterThanOrEqual(Math.max(pace, longestThread, concurrency))
      },
    ),
    { numRuns: 300 },
  )
})

test('of a slow answer that holds up the calls, and quick ones that the pace does, many repeats are measured', () => {
  const quick = Array.from({ length: 9 }, () => [1])
  // A slow one, the next when it has landed, and the others a gap apart: longer than 1,009 of work and 1,000 of gaps.
  const takes = makespanOf([[1000], ...quick], { gapMs: 100, concurrency: 1 }, 2_000_000_000)
  expect(takes / 2_000_000_000).toBeCloseTo(1900, 3)
})

test.each([
  // In so few repeats one long thread would never fill the lanes, were an equal part of each set followed.
  { name: 'one thread of 100 turns', chains: [Array.from({ length: 100 }, () => 3000)], repeats: 250 },
  {
    name: 'one long thread beside many short ones',
    chains: [
      Array.from({ length: 60 }, (_, place) => 500 + ((place * 977) % 5000)),
      ...Array.from({ length: 40 }, () => [800]),
    ],
    repeats: 600,
  },
])(
  '$name in more lanes than its followed repeats would fill: carried on to within a hundredth',
  ({ chains, repeats }) => {
    for (const gapMs of [0, 20]) {
      const lanes = { gapMs, concurrency: 128 }
      const followed = simulateMakespan(chains, lanes, repeats)
      expect(makespanOf(chains, lanes, repeats, 10_000) / followed).toBeCloseTo(1, 2)
    }
  },
)

/** What the real runner and the real limiter take, with an endpoint that answers when the chain says. */
async function runReally(
  chains: readonly (readonly number[])[],
  perSecond: number | undefined,
  most: number,
) {
  const clock = new VirtualClock()
  const rate =
    perSecond === undefined ? { kind: 'unlimited' as const } : { kind: 'known' as const, perSecond }
  const policy = createPolicy({ rate, concurrency: most }, () => 0.5)
  const limiter = createGate(policy, createDirectLane(), most, clock)
  const threads = makeThreads(...chains.map(({ length }) => length))
  const times = new Map(
    threads.flatMap(({ turns }, order) =>
      turns.map(({ question }, place) => [question.message, chains[order]?.[place] ?? 0]),
    ),
  )
  let lastEnd = 0
  const ask = async ({ message, conversationId = 'c' }: AssistRequest) => {
    const sentAt = clock.now()
    await clock.sleep(times.get(message) ?? 0)
    lastEnd = clock.now()
    const reply = { conversationId, message: '', status: 'success', contextSource: 'MODEL' }
    return { sentAt, endedAt: lastEnd, result: { kind: 'reply' as const, httpStatus: 200, reply } }
  }
  const never = new AbortController().signal
  await clock.runUntil(
    runThreads(
      threads,
      { send: sendBy(ask), record: () => undefined, limiter, clock },
      {
        runId: 'run',
        maxCalls: undefined,
        giveUpAfterMs: Infinity,
        attemptsBefore: 0,
        rotatingIds: false,
        restartOnAmbiguous: true,
        asksAgain: 'unprocessed',
      },
      { stop: never, abandon: never },
    ),
  )
  limiter.close()
  return { takes: lastEnd, pace: policy.state().pace }
}

test('the real runner takes as long, to a thousandth', async () => {
  await fc.assert(
    fc.asyncProperty(
      // Times that never coincide: who comes first of two at one moment is nobody's promise.
      chainsArbitrary.map((chains) =>
        chains.map((chain, order) => chain.map((ms, place) => ms + order * 0.0137 + place * 0.00071)),
      ),
      fc.constantFrom(undefined, 1, 20),
      fc.integer({ min: 1, max: 12 }),
      async (chains, perSecond, concurrency) => {
        const { takes, pace } = await runReally(chains, perSecond, concurrency)
        const gapMs = pace === null ? 0 : 1000 / pace
        const simulated = simulateMakespan(chains, { gapMs, concurrency }, 1)
        expect(simulated / takes).toBeGreaterThan(0.999)
        expect(simulated / takes).toBeLessThan(1.001)
      },
    ),
    { numRuns: 40 },
  )
})
