// Protects the shards of a load test, on a virtual clock: together they offer what the whole test offers,
// each arrival once, with the same questions at the same times.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { partOfBudget } from '../../../src/domain/shard.ts'
import { dueTimes } from '../../support/load-journal.ts'
import { flat, playLoad, WALL_START, type LoadScript, type Played } from '../../support/play.ts'
import { makeThreads } from '../../support/questions.ts'

const rate = fc.integer({ min: 0, max: 40 })
const stages = fc.array(fc.record({ durationMs: fc.integer({ min: 1, max: 900 }), from: rate, to: rate }), {
  minLength: 1,
  maxLength: 3,
})
const thinkTime = fc.constantFrom(
  { kind: 'constant', ms: 20 } as const,
  { kind: 'uniform', fromMs: 0, toMs: 300 } as const,
  { kind: 'lognormal', medianMs: 50, p95Ms: 200 } as const,
)
const cases = fc.record({
  stages,
  thinkTime,
  seed: fc.nat(1_000_000),
  lengths: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
  of: fc.integer({ min: 1, max: 7 }),
})

const playShards = async (
  lengths: readonly number[],
  load: LoadScript['load'],
  of: number,
): Promise<Played[]> =>
  Promise.all(
    Array.from({ length: of }, async (_, before) =>
      playLoad(makeThreads(...lengths), { load, rules: { shard: { index: before + 1, of } } }),
    ),
  )

/** What was sent and when it was due: to a hundredth of a millisecond, which sums of rounded times keep. */
const offeredIn = (all: readonly Played[]) =>
  all
    .flatMap(({ of }) => [...of('intent'), ...of('dropped')])
    .map(({ arrival = -1, question, repeat, dueAt = 0 }) => ({
      arrival,
      question,
      repeat,
      due: Math.round((dueAt - WALL_START) * 100) / 100,
    }))
    .toSorted((a, b) => a.arrival - b.arrival || a.question - b.question)

test('the shards together offer what the whole offers: the same questions at the same times', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ stages: all, of, lengths, ...more }) => {
      const load = { model: { kind: 'open', stages: all } as const, ...more }
      const whole = await playLoad(makeThreads(...lengths), { load })
      const shards = await playShards(lengths, load, of)
      expect(offeredIn(shards)).toEqual(offeredIn([whole]))
    }),
    { numRuns: 80 },
  )
})

test('arrivals are dealt out in turn, so that each shard always offers its part of the rate', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ stages: all, of, lengths }) => {
      const shards = await playShards(lengths, { model: { kind: 'open', stages: all } }, of)
      const expected = dueTimes(all)
      for (const [before, played] of shards.entries()) {
        const numbers = [...new Set(offeredIn([played]).map(({ arrival }) => arrival))]
        expect(numbers).toEqual([...expected.keys()].filter((arrival) => arrival % of === before))
      }
    }),
    { numRuns: 40 },
  )
})

test('users of a closed loop are divided, and no two shards send one repeat of a question', async () => {
  const closed = fc.record({
    users: fc.integer({ min: 1, max: 9 }),
    of: fc.integer({ min: 1, max: 5 }),
    lengths: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(closed, async ({ users, of, lengths }) => {
      fc.pre(users >= of)
      const load = {
        model: { kind: 'closed', users, durationMs: 300 } as const,
        thinkTime: { kind: 'constant', ms: 100 } as const,
        maxInFlight: users,
      }
      const shards = await playShards(lengths, load, of)
      const begun = shards.map((played) => offeredIn([played]).filter(({ due }) => due === 0).length)
      expect(begun).toEqual(shards.map((_, before) => partOfBudget(users, { index: before + 1, of })))
      const sent = offeredIn(shards).map(({ question, repeat }) => `${question} ${repeat}`)
      expect(new Set(sent).size).toBe(sent.length)
      expect(
        offeredIn(shards).every(({ arrival, repeat }) => repeat === Math.floor(arrival / lengths.length) + 1),
      ).toBe(true)
    }),
    { numRuns: 40 },
  )
})

test('calls in flight are divided: the shards together send no more at once than the whole may', async () => {
  const load = { model: flat(100, 1), maxInFlight: 7 }
  const shards = await Promise.all(
    [1, 2, 3].map(async (index) =>
      playLoad(makeThreads(1), { load, ms: () => 60_000, rules: { shard: { index, of: 3 } } }),
    ),
  )
  expect(shards.map(({ calls }) => calls.length)).toEqual([3, 2, 2])
  expect(shards.map(({ of }) => of('dropped').length)).toEqual([31, 31, 31])
})
