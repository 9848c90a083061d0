// Protects the limiter on a virtual clock: pace, calls in flight, pauses and withdrawn requests.
// cli/targets.test.ts runs it with Bottleneck.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createLimiter,
  direct,
  type Limiter,
  type PaceChange,
  type Permit,
  type Queue,
} from '../../src/pace/limiter.ts'
import type { Observation } from '../../src/pace/observation.ts'
import { parseRate } from '../../src/pace/rules.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const accepted = { kind: 'accepted' } as const

/** `queue`: or the one that the limiter chooses. */
function virtual(rate: string, concurrency: number, queue: Queue | 'chosen' = direct) {
  const clock = new VirtualClock()
  const parsed = parseRate(rate)
  if (parsed === undefined) throw new Error(`${rate} is not a rate`)
  const rules = { rate: parsed, concurrency, share: 1 }
  const given = queue === 'chosen' ? undefined : queue
  return { limiter: createLimiter(rules, clock, seededRandom(1), given), clock }
}

const acquire = async (limiter: Limiter): Promise<Permit | undefined> =>
  new Promise((resolve) => {
    limiter.request(resolve)
  })

/** Requests a permit. `got` holds the granted ones by name, in order. */
const ask = (limiter: Limiter, name: string, got: Map<string, Permit | undefined>): (() => void) =>
  limiter.request((permit) => got.set(name, permit))

/** Sends `count` calls that take `ms` each. Returns when each permit was granted. */
async function sendAll(
  limiter: Limiter,
  clock: VirtualClock,
  { count, ms, answer }: { count: number; ms: number; answer?: (call: number) => Observation },
): Promise<number[]> {
  const grants: number[] = []
  const calls: Promise<void>[] = []
  for (let call = 0; call < count; call += 1) {
    const permit = await acquire(limiter)
    if (permit === undefined) throw new Error('no permit')
    grants.push(permit.grantedAt)
    calls.push(clock.sleep(ms).then(() => permit.settle(answer?.(call) ?? accepted)))
  }
  await Promise.all(calls)
  return grants
}

test('at a known rate r no window of w seconds holds more than r·w + 1 sends', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 2000 }),
      fc.integer({ min: 1, max: 5000 }),
      async (rate, ms, window) => {
        const { limiter, clock } = virtual(`${rate}/s`, 64)
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

test('a late wake-up is made up for by at most half a slot', async () => {
  const { limiter, clock } = virtual('10/s', 64)
  await acquire(limiter)
  const second = acquire(limiter)
  clock.jump(116)
  const grants = [
    (await clock.runUntil(second))?.grantedAt,
    (await clock.runUntil(acquire(limiter)))?.grantedAt,
  ]
  expect(grants.map((at) => Math.round(at ?? 0))).toEqual([116, 202])
  limiter.close()
})

test('permits are granted at once below the concurrency, then in order, one for each answer', () => {
  const { limiter } = virtual('unlimited', 2)
  const got = new Map<string, Permit | undefined>()
  for (const name of ['a', 'b', 'c', 'd']) ask(limiter, name, got)
  expect([...got.keys()]).toEqual(['a', 'b'])
  got.get('b')?.settle(accepted)
  got.get('b')?.settle(accepted)
  expect([...got.keys()]).toEqual(['a', 'b', 'c'])
  expect(limiter.state()).toMatchObject({ inFlight: 2, pace: null, processes: undefined })
})

test('a named wait pauses every request and is reported once', async () => {
  const { limiter, clock } = virtual('unlimited', 1)
  const changes: PaceChange[] = []
  limiter.onChange((change) => changes.push(change))
  const answer = (call: number): Observation =>
    call === 0 ? { kind: 'rateLimited', namedMs: 60_000 } : accepted
  const grants = await clock.runUntil(sendAll(limiter, clock, { count: 3, ms: 10, answer }))
  expect(grants).toEqual([0, 60_010, 60_020])
  expect(changes.map(({ cause }) => cause)).toEqual(['429, Retry-After 60 s', 'the endpoint answers again'])
  expect(changes[0]?.pause).toEqual({ from: 10, until: 60_010 })
})

test.each([
  [8, direct],
  [1, 'chosen'],
] as const)(
  'a withdrawn request gets no permit and delays no other request, with %i in flight',
  async (concurrency, queue) => {
    const { limiter, clock } = virtual('1/s', concurrency, queue)
    const got = new Map<string, Permit | undefined>()
    const first = await acquire(limiter)
    const giveUp = ask(limiter, 'quitter', got)
    const next = acquire(limiter)
    await clock.runUntil(clock.sleep(700))
    giveUp()
    giveUp()
    first?.settle(accepted)
    expect((await clock.runUntil(next))?.grantedAt).toBeCloseTo(1010.1, 1)
    expect(got.size).toBe(0)
    limiter.close()
    expect(clock.timers).toBe(0)
  },
)

test.each([
  ['60/min', false],
  ['auto', false],
  ['1000/s', true],
  ['unlimited', true],
])('at %s a call starts within its request: %s', async (rate, isAtOnce) => {
  const { limiter } = virtual(rate, 2, 'chosen')
  let permit: Permit | undefined
  await new Promise<void>((resolve) => {
    limiter.request((granted) => {
      permit = granted
      resolve()
    })
    expect(permit !== undefined).toBe(isAtOnce)
  })
  expect(permit).toBeDefined()
  limiter.close()
})

test('requests waiting at close get no permit, and no timer is left', async () => {
  const { limiter, clock } = virtual('1/h', 4)
  const first = await acquire(limiter)
  const waiting = [acquire(limiter), acquire(limiter)]
  limiter.close()
  expect(await Promise.all(waiting)).toEqual([undefined, undefined])
  expect(await acquire(limiter)).toBeUndefined()
  first?.settle(accepted)
  expect(clock.timers).toBe(0)
})
