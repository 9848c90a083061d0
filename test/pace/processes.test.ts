// Protects the shared pace of an organization's processes, whatever happens to them.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PaceRules } from '../../src/pace/rules.ts'
import type { Limit } from '../../src/sandbox/limits/models.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { bucket, limited, sliding } from '../bench/pacing/servers.ts'
import { createSharedPace, type SharedProcess } from '../support/shared-pace.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const LIMIT = 10
const rules = (more: Partial<PaceRules> = {}): PaceRules => ({
  rate: { kind: 'known', perSecond: LIMIT },
  concurrency: 4,
  share: 1,
  ...more,
})

/** Returns a function that says whether the limit accepts a call at a time. */
function accepts(limit: Limit): (now: number) => boolean {
  const server = limited([limit])
  return (now) => server.arrive(now).admitted
}

/**
 * A shared pace on a new virtual clock. `pass` lets that many milliseconds go by. `roundTripMs`: to Redis and
 * back, at a time.
 */
function startShared(
  first: PaceRules,
  accept: (now: number) => boolean = () => true,
  seed = 1,
  roundTripMs: (now: number) => number = () => 2,
) {
  const clock = new VirtualClock()
  const random = seededRandom(seed)
  const tripMs = (): number => (roundTripMs(clock.now()) / 2) * (0.9 + 0.2 * random())
  const shared = createSharedPace(clock, random, accept, first, tripMs)
  return { clock, shared, pass: async (ms: number): Promise<void> => clock.runUntil(clock.sleep(ms)) }
}

type ProcessEvent = { readonly kind: 'join' | 'die' | 'leave'; readonly whose: number }

const event: fc.Arbitrary<ProcessEvent> = fc.record({
  kind: fc.constantFrom('join', 'die', 'leave'),
  whose: fc.nat(5),
})

async function play(events: readonly ProcessEvent[], seed: number) {
  const { clock, shared, pass } = startShared(rules(), undefined, seed)
  const living = new Map<string, SharedProcess>()
  let joined = 0
  const join = (): void => {
    const id = `p${(joined += 1)}`
    const one = shared.join(id)
    living.set(id, one)
    one.work()
  }
  join()
  join()
  for (const { kind, whose } of events) {
    const id = [...living.keys()][whose % living.size] ?? ''
    if (kind === 'join') join()
    else if (living.size > 1) {
      living.get(id)?.[kind]()
      living.delete(id)
    }
    await pass(1500)
  }
  await pass(4000)
  return { clock, shared, living, pass }
}

const plays = fc.tuple(fc.array(event, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 1e6 }))

describe('processes that join, die and leave', () => {
  test('together keep the pace of one process', async () => {
    await fc.assert(
      fc.asyncProperty(plays, async ([events, seed]) => {
        const { shared } = await play(events, seed)
        const times = shared.sent.map(({ at }) => at).toSorted((a, b) => a - b)
        for (const from of times) {
          const count = times.filter((at) => at >= from && at < from + 1000).length
          expect(count).toBeLessThanOrEqual(LIMIT + 1)
        }
      }),
      { numRuns: 15 },
    )
  })

  test('share the whole limit evenly between those alive, and the others are removed', async () => {
    await fc.assert(
      fc.asyncProperty(plays, async ([events, seed]) => {
        const { clock, shared, living, pass } = await play(events, seed)
        const from = clock.now()
        await pass(6000)
        const counts = [...living.keys()].map(
          (id) => shared.sent.filter(({ process, at }) => process === id && at >= from).length,
        )
        const total = counts.reduce((sum, count) => sum + count, 0)
        expect(total).toBeGreaterThan(0.93 * 6 * LIMIT)
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(3)
        expect(Object.keys(shared.state().processes).toSorted()).toEqual([...living.keys()].toSorted())
      }),
      { numRuns: 15 },
    )
  })
})

test('the strictest rules apply while their process lives', async () => {
  const { shared, pass } = startShared(rules())
  const [one, other] = [shared.join('a'), shared.join('b', rules({ rate: { kind: 'known', perSecond: 4 } }))]
  one.work()
  other.work()
  await pass(2000)
  expect(one.limiter.state()).toMatchObject({ pace: 0.99 * 4, processes: 2 })
  other.leave()
  await pass(2000)
  expect(one.limiter.state()).toMatchObject({ pace: 0.99 * LIMIT, processes: 1 })
})

test('a process reports that others join and leave, and pauses', async () => {
  const auto = rules({ rate: { kind: 'auto' } })
  const { shared, pass } = startShared(auto, accepts(bucket(5, 5)))
  const one = shared.join('a')
  const causes: string[] = []
  one.limiter.onChange(({ cause }) => causes.push(cause))
  one.work()
  await pass(500)
  const other = shared.join('b', auto)
  other.work()
  await pass(10_000)
  other.leave()
  await pass(2000)
  expect(causes[0]).toBe('2 processes share the limit')
  expect(causes).toContain('429')
  expect(causes.at(-1)).toMatch(/^this process uses the limit alone|^429|^nothing refused/)
  expect(causes.some((cause) => cause.startsWith('this process uses the limit alone'))).toBe(true)
})

test('three processes reach 300 calls per second, although each permit takes a round trip', async () => {
  const fast = rules({ rate: { kind: 'known', perSecond: 300 }, concurrency: 300 })
  const { shared, pass } = startShared(fast)
  for (const id of ['a', 'b', 'c']) {
    const one = shared.join(id, fast)
    for (let call = 0; call < 50; call += 1) one.work()
  }
  await pass(5000)
  const count = shared.sent.filter(({ at }) => at >= 1000 && at < 5000).length
  expect(count).toBeGreaterThan(0.985 * 4 * 300)
  expect(count).toBeLessThanOrEqual(4 * 300)
})

/** The most calls in any second. */
const busiest = (times: readonly number[]): number =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length))

describe('a Redis that is far away', () => {
  const stated = rules({ rate: { kind: 'known', perSecond: 20 }, concurrency: 64 })
  const distances = [20, 40, 60, 100, 250]

  test.each(distances.flatMap((ms) => [1, 3].map((count) => [ms, count] as const)))(
    'by %i ms costs %i processes hardly any of a stated rate, which they share and keep',
    async (ms, count) => {
      const { shared, pass } = startShared(stated, undefined, 1, () => ms)
      const names = Array.from({ length: count }, (_, place) => String(place))
      for (const name of names) shared.join(name).work()
      await pass(25_000)
      const late = shared.sent.filter(({ at }) => at >= 5000)
      expect(late.length).toBeGreaterThan(0.95 * 20 * 20)
      expect(busiest(shared.sent.map(({ at }) => at))).toBeLessThanOrEqual(22)
      for (const name of names) {
        const own = late.filter(({ process }) => process === name).length
        expect(own).toBeGreaterThan((0.7 * late.length) / count)
      }
    },
  )

  test.each([1, 3])(
    'for a while slows %i processes down only as long, and is never made up for',
    async (count) => {
      const isSlow = (now: number): boolean => now >= 5000 && now < 15_000
      const { shared, pass } = startShared(stated, undefined, 1, (now) => (isSlow(now) ? 1000 : 20))
      for (let place = 0; place < count; place += 1) shared.join(String(place)).work()
      await pass(30_000)
      const times = shared.sent.map(({ at }) => at)
      const between = (from: number, to: number): number => times.filter((at) => at >= from && at < to).length
      expect(between(5000, 15_000)).toBeGreaterThan(0.4 * 10 * 20)
      expect(between(20_000, 30_000)).toBeGreaterThan(0.8 * 10 * 20)
      expect(busiest(times)).toBeLessThanOrEqual(22)
    },
  )

  test.each([1, 3])('that stalls for 4 s costs %i processes hardly more than that', async (count) => {
    const leftMs = (now: number): number => (now >= 5000 && now < 9000 ? 9000 - now : 0)
    const { shared, pass } = startShared(stated, undefined, 1, (now) => 60 + 2 * leftMs(now))
    for (let place = 0; place < count; place += 1) shared.join(String(place)).work()
    await pass(20_000)
    const times = shared.sent.map(({ at }) => at)
    expect(times.filter((at) => at >= 11_000).length).toBeGreaterThan(0.95 * 9 * 20)
    expect(busiest(times)).toBeLessThanOrEqual(22)
  })

  test('a 429 holds back what was reserved behind it', async () => {
    const isClosed = (now: number): boolean => now >= 5000 && now < 8000
    const { shared, pass } = startShared(
      stated,
      (now) => !isClosed(now),
      1,
      () => 250,
    )
    shared.join('a').work()
    await pass(12_000)
    // In flight at the first 429, and a probe after each pause.
    expect(shared.sent.filter(({ isAccepted }) => !isAccepted).length).toBeLessThanOrEqual(6)
    expect(shared.sent.filter(({ at }) => at >= 10_000).length).toBeGreaterThan(0.9 * 2 * 20)
  })
})

test.each<[string, PaceRules['rate'], roundTripMs: number, maxRefused: number]>([
  ['at a stated rate', { kind: 'known', perSecond: LIMIT }, 2, 0],
  ['while the limit is looked for', { kind: 'auto' }, 2, 0.03],
  // A 429 is known to the others a round trip later.
  ['while the limit is looked for, far from Redis', { kind: 'auto' }, 60, 0.05],
])('a process that dies delays the others only briefly, %s', async (_, rate, roundTripMs, maxRefused) => {
  for (let seed = 1; seed <= 4; seed += 1) {
    const accept = accepts(bucket(LIMIT, LIMIT))
    const { clock, shared, pass } = startShared(rules({ rate }), accept, seed, () => roundTripMs)
    const [first, ...others] = ['a', 'b', 'c'].map((id) => shared.join(id))
    for (const one of [first, ...others]) one?.work()
    await pass(6000 + 313 * seed)
    first?.die()
    const from = clock.now()
    await pass(20_000)
    const accepted = shared.sent.filter(({ isAccepted }) => isAccepted)
    expect(accepted.filter(({ at }) => at > from).length).toBeGreaterThan(0.93 * 20 * LIMIT)
    expect(1 - accepted.length / shared.sent.length).toBeLessThanOrEqual(maxRefused)
  }
})

test.each([1, 3, 8])(
  '%i processes find an unknown limit like one process, with one probe at a time',
  async (count) => {
    const auto = rules({ rate: { kind: 'auto' }, concurrency: 64 })
    const { shared, pass } = startShared(auto, accepts(sliding(150, 10)))
    for (let place = 0; place < count; place += 1) shared.join(String(place)).work()
    await pass(40_000)
    const refused = shared.sent.filter(({ isAccepted }) => !isAccepted).map(({ at }) => at)
    expect(shared.sent.length - refused.length).toBeGreaterThan(0.92 * 40 * 15)
    expect(refused.length).toBeLessThan(0.025 * shared.sent.length)
    // Without the calls in flight when a 429 was reported: 10 ms, two round trips, and 5 ms granted ahead.
    const gaps = refused.slice(1).map((at, place) => at - (refused[place] ?? 0))
    expect(Math.min(...gaps.filter((ms) => ms > 20))).toBeGreaterThan(50)
  },
)
