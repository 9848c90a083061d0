// Protects a load test, on a virtual clock: what ends a thread and the test, and when the users of the closed model send again.
// properties.test.ts covers what holds for every load test.
import { describe, expect, test } from 'vitest'
import type { AttemptResult } from '../../../src/domain/attempt.ts'
import type { JournalRecord } from '../../../src/domain/journal.ts'
import { StorageError } from '../../../src/domain/storage-error.ts'
import { flat, goodAnswer, type LoadScript, playLoad, type Played, WALL_START } from '../../support/play.ts'
import { makeThreads, network, rejection, timeout } from '../../support/recorded.ts'

const sentAt = ({ of }: Played): number[] => of('intent').map(({ at }) => at - WALL_START)

test('a repeat of a thread has its own conversation and end user', async () => {
  const { calls } = await playLoad(makeThreads(2), { load: { model: flat(4, 0.5) } })
  expect(calls.map(({ request }) => [request.endUserRef, request.conversationId])).toEqual([
    ['run-1-1-1', undefined],
    ['run-1-1-1', 'c1'],
    ['run-1-2-1', undefined],
    ['run-1-2-1', 'c3'],
  ])
})

/** While a record is written, time passes, like in a process that gets no processor. */
const freezing =
  (kind: 'intent' | 'result', attempt: number, ms: number): LoadScript['onRecord'] =>
  (record, clock) => {
    if (record.kind === kind && record.attempt === attempt) clock.jump(ms)
  }

test('after a freeze of the load generator, due calls are sent late up to the maximum in flight', async () => {
  const load = { model: flat(100, 1), maxInFlight: 30 }
  const onRecord = freezing('intent', 21, 500)
  const played = await playLoad(makeThreads(1), { load, ms: () => 5, onRecord })
  // 20 was being sent; 21 to 70 were due by the end of the freeze, and 29 of them fit beside it.
  expect(played.of('dropped').map(({ arrival }) => arrival)).toEqual(
    Array.from({ length: 21 }, (_, i) => 50 + i),
  )
  const lags = played.of('result').map(({ lagMs = 0 }) => Math.round(lagMs))
  expect([Math.max(...lags), lags.filter((lag) => lag > 0).length, lags.length]).toEqual([500, 30, 79])
})

test('after a pause of the machine, what it missed is dropped, not sent at once', async () => {
  const load = { model: flat(10, 10), maxInFlight: 100 }
  const onRecord = freezing('intent', 21, 5000)
  const played = await playLoad(makeThreads(1), { load, ms: () => 5, onRecord })
  expect(played.of('dropped').map(({ arrival }) => arrival)).toEqual(
    Array.from({ length: 50 }, (_, i) => 21 + i),
  )
  expect(played.of('intent')).toHaveLength(50)
})

test('after a pause of the machine, later turns keep the distances that they had', async () => {
  const load: LoadScript['load'] = { model: flat(10, 1), thinkTime: { kind: 'constant', ms: 2000 } }
  const onRecord = freezing('result', 10, 5000)
  const played = await playLoad(makeThreads(2), { load, ms: () => 5, onRecord })
  const later = sentAt(played).slice(10)
  expect(later).toHaveLength(10)
  expect(later.slice(1).map((at, index) => at - (later[index] ?? NaN))).toEqual(Array(9).fill(100))
})

test('a later turn that waits for a slot is no pause of the machine: it waited', async () => {
  const stages = [
    [10, 300],
    [0, 2700],
    [10, 100],
  ] as const
  const played = await playLoad(makeThreads(2), {
    load: {
      model: { kind: 'open', stages: stages.map(([from, durationMs]) => ({ durationMs, from, to: from })) },
      maxInFlight: 2,
      thinkTime: { kind: 'constant', ms: 100 },
    },
    // The second and the third conversation hold both slots when the later turn of the first is due, at 250.
    ms: ({ number }) => (number === 1 ? 150 : number <= 3 ? 5000 : 10),
  })
  // One that is due at 3000 finds no slot, either.
  expect(played.of('dropped')).toHaveLength(1)
  const [later] = played.of('result').filter(({ attempt }) => attempt === 4)
  expect(later?.responseMs).toBe(5100 - 250 + 10)
})

test.each<[AttemptResult, string]>([
  [rejection(429), 'rate_limited'],
  [rejection(500), 'server_error'],
  [network(false), 'network_error'],
  [network(true), 'network_error'],
  [timeout, 'timeout'],
])('a thread ends with %j, which is not sent again, as %s', async (result, outcome) => {
  const { of, calls } = await playLoad(makeThreads(3), { load: { model: flat(1, 2) }, answer: () => result })
  expect(calls).toHaveLength(2)
  const ends = [outcome, 'skipped', 'skipped']
  expect(of('outcome').map((record) => record.outcome)).toEqual([...ends, ...ends])
  expect(of('restart')).toEqual([])
})

describe('the test ends', () => {
  test.each([
    [401, 'keyRefused'],
    [402, 'quotaUsedUp'],
    [403, 'keyRefused'],
  ])('at a %d, after the calls in flight', async (status, kind) => {
    const { stop, calls, of } = await playLoad(makeThreads(1), {
      load: { model: flat(10, 10) },
      ms: () => 250,
      answer: () => rejection(status),
    })
    expect([stop.kind, calls.length, of('outcome')]).toEqual([kind, 3, []])
  })

  test('after the graceful stop, which cuts off running threads and is not a fault', async () => {
    const load = { model: flat(1, 2), gracefulStopMs: 500 }
    const played = await playLoad(makeThreads(20), { load, ms: () => 200 })
    expect(played.stop).toEqual({ kind: 'done' })
    expect(Math.max(...sentAt(played))).toBeLessThan(2500)
    expect(played.of('result')).toHaveLength(played.calls.length)
  })

  test('after nothing but failures for giveUpAfter', async () => {
    const { stop } = await playLoad(makeThreads(1), {
      load: { model: flat(1, 1000) },
      rules: { giveUpAfterMs: 60_000 },
      answer: () => rejection(503),
    })
    expect(stop).toMatchObject({ kind: 'gaveUp', over: 'failures', last: '503 status 503' })
  })

  test('at a full disk, and no call is sent without its intent', async () => {
    const onRecord = (record: JournalRecord): void => {
      if (record.kind === 'intent' && record.attempt > 3) throw new StorageError(new Error('full'))
    }
    const { stop, calls } = await playLoad(makeThreads(1), { load: { model: flat(10, 10) }, onRecord })
    expect([stop.kind, calls.length]).toEqual(['storage', 3])
  })
})

describe('in the closed model', () => {
  const closed = (users: number, durationMs: number, ms = 0) => ({
    model: { kind: 'closed', users, durationMs } as const,
    thinkTime: { kind: 'constant', ms } as const,
  })

  test('each user sends, thinks and sends again, and starts no thread at the end of the duration', async () => {
    const played = await playLoad(makeThreads(1), {
      load: { ...closed(2, 900, 100), maxInFlight: 2 },
      ms: ({ number }) => (number % 2 === 0 ? 300 : 200),
    })
    expect(played.stop).toEqual({ kind: 'done' })
    expect(sentAt(played)).toEqual([0, 0, 300, 400, 600, 800])
    expect(played.of('intent').map(({ arrival }) => arrival)).toEqual([0, 1, 2, 3, 4, 5])
    expect(played.of('result').every(({ waitMs, lagMs }) => waitMs === 0 && lagMs === 0)).toBe(true)
  })

  test('of turns due at the same time, the thread that started first sends first', async () => {
    const played = await playLoad(makeThreads(2), { load: closed(4, 10, 100) })
    expect(sentAt(played)).toEqual([0, 0, 0, 0, 110, 110, 110, 110])
    expect(played.of('intent').map(({ arrival }) => arrival)).toEqual([0, 1, 2, 3, 0, 1, 2, 3])
  })

  test.each<[string, AttemptResult, number, number[]]>([
    ['an error, one second', rejection(500), 0, [0, 1010, 2020]],
    ['no connection, one second', network(false), 0, [0, 1010, 2020]],
    ['a 429 that names no wait, one second', rejection(429), 0, [0, 1010, 2020]],
    ['a 429 that names less, one second', rejection(429, { 'retry-after': '0' }), 0, [0, 1010, 2020]],
    ['a 429 that names more, the named wait', rejection(429, { 'retry-after': '2' }), 0, [0, 2010]],
    ['an error with a longer think time, the think time', rejection(500), 1500, [0, 1510]],
  ])('after %s passes before the next thread', async (_, result, thinkMs, expected) => {
    const load = closed(1, 3000, thinkMs)
    expect(sentAt(await playLoad(makeThreads(2), { load, answer: () => result }))).toEqual(expected)
  })

  test('a named wait of hours is cut to a minute', async () => {
    const played = await playLoad(makeThreads(1), {
      load: closed(1, 61_000),
      rules: { giveUpAfterMs: 3 * 3_600_000 },
      answer: (call) => (call.number === 1 ? goodAnswer(call) : rejection(429, { 'retry-after': '7200' })),
    })
    expect(sentAt(played)).toEqual([0, 10, 60_020])
  })
})
