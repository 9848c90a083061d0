// A load test on a virtual clock: what is sent, what is dropped, what ends it, and what its times say.
import { describe, expect, test } from 'vitest'
import type { AttemptResult } from '../../../src/domain/attempt.ts'
import { StorageError } from '../../../src/domain/storage-error.ts'
import { makeThreads } from '../../support/questions.ts'
import { flat, playLoad, rejection, WALL_START } from '../../support/load.ts'

describe('the open model', () => {
  test('threads of the set follow each other, each time as a repeat with its own conversation and user', async () => {
    const { stop, of, calls } = await playLoad(makeThreads(1, 2), { load: { model: flat(4, 1) } })
    expect(stop).toEqual({ kind: 'done' })
    const asked = of('intent').map(({ arrival, question, repeat, dueAt }) => [
      arrival,
      question,
      repeat,
      (dueAt ?? 0) - WALL_START,
    ])
    expect(asked).toEqual([
      [0, 0, 1, 0],
      [1, 1, 1, 250],
      [1, 2, 1, 260],
      [2, 0, 2, 500],
      [3, 1, 2, 750],
      [3, 2, 2, 760],
    ])
    expect(calls.map(({ request }) => request.endUserRef)).toEqual([
      'run-1-1-1',
      'run-2-1-1',
      'run-2-1-1',
      'run-1-2-1',
      'run-2-2-1',
      'run-2-2-1',
    ])
    expect(calls.map(({ request }) => request.conversationId)).toEqual([
      undefined,
      undefined,
      'c2',
      undefined,
      undefined,
      'c5',
    ])
  })

  test('waiting for room is a wait, and counts into the response time', async () => {
    // The second turn of the first thread is due at 40, while the other thread is asked from 35 to 95.
    const crowded = await playLoad(makeThreads(2), {
      load: { model: flat(1000 / 35, 0.06), maxInFlight: 1, thinkTime: { kind: 'constant', ms: 10 } },
      serviceMs: ({ number }) => (number === 2 ? 60 : 30),
    })
    const second = crowded.of('intent').findIndex(({ arrival, question }) => arrival === 0 && question === 1)
    const { waitMs, lagMs, serviceMs, responseMs } = crowded.of('result')[second] ?? {}
    expect([waitMs, lagMs, serviceMs, responseMs]).toEqual([55, 0, 30, 85])
  })

  test('a generator that stops for a while loses no arrival: each is sent late and says so, or is dropped', async () => {
    let frozen = false
    let freeze: ((ms: number) => void) | undefined
    const played = await playLoad(makeThreads(1), {
      load: { model: flat(100, 1), maxInFlight: 30 },
      serviceMs: () => 5,
      onRecord: (record) => {
        // The clock jumps by half a second while a record is written: as a process that gets no processor.
        if (record.kind === 'intent' && record.arrival === 20 && !frozen) {
          frozen = true
          freeze?.(500)
        }
      },
      withClock: (clock) => {
        freeze = (ms) => clock.jump(ms)
      },
    })
    const sent = played.of('intent').map(({ arrival }) => arrival)
    const dropped = played.of('dropped').map(({ arrival }) => arrival)
    expect([...sent, ...dropped].sort((a = 0, b = 0) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, i) => i),
    )
    // 20 was held in hand; 21 to 70 were due by the end of the freeze, of which 29 find room beside it.
    expect(dropped).toEqual(Array.from({ length: 21 }, (_, i) => 50 + i))
    const lags = played.of('result').map(({ lagMs = 0 }) => Math.round(lagMs))
    expect(Math.max(...lags)).toBe(500)
    expect(lags.filter((lag) => lag > 0)).toHaveLength(30)
  })
})
describe('what ends a thread', () => {
  test.each([
    [429, 'rate_limited'],
    [500, 'server_error'],
    [404, 'refused'],
  ])('%d: %s, and its later turns are skipped', async (status, outcome) => {
    const { of, calls } = await playLoad(makeThreads(3), {
      load: { model: flat(1, 2) },
      answer: () => rejection(status),
    })
    expect(calls).toHaveLength(2)
    expect(of('outcome').map((record) => record.outcome)).toEqual([
      outcome,
      'skipped',
      'skipped',
      outcome,
      'skipped',
      'skipped',
    ])
    expect(of('restart')).toEqual([])
  })

  test.each([
    [
      'a connection that was refused',
      { kind: 'network', sent: false, code: 'ECONNREFUSED', message: '' },
      'network_error',
    ],
    ['a reset', { kind: 'network', sent: true, code: 'ECONNRESET', message: '' }, 'network_error'],
    ['a timeout', { kind: 'timeout', message: '' }, 'timeout'],
    ['a malformed answer', { kind: 'malformed', httpStatus: 200, reason: '', excerpt: '' }, 'malformed'],
  ] as const)('%s, which is not sent again', async (_, result, outcome) => {
    const { of, calls } = await playLoad(makeThreads(2), {
      load: { model: flat(1, 1) },
      answer: () => result,
    })
    expect(calls).toHaveLength(1)
    expect(of('outcome').map((record) => record.outcome)).toEqual([outcome, 'skipped'])
  })

  test.each([401, 403])('%d ends everything', async (status) => {
    const { stop, calls, of } = await playLoad(makeThreads(1), {
      load: { model: flat(10, 10) },
      serviceMs: () => 250,
      answer: () => rejection(status),
    })
    expect(stop).toMatchObject({ kind: 'keyRefused', httpStatus: status })
    // What was in flight when the first answer came is awaited.
    expect(calls).toHaveLength(3)
    expect(of('outcome')).toEqual([])
  })
})

describe('what ends the test', () => {
  test('the grace time: threads still running are cut off, which is no fault', async () => {
    const { stop, of } = await playLoad(makeThreads(20), {
      load: { model: flat(1, 2), gracefulStopMs: 500 },
      serviceMs: () => 200,
    })
    expect(stop).toEqual({ kind: 'done' })
    const lastAt = Math.max(...of('intent').map(({ at }) => at - WALL_START))
    expect(lastAt).toBeLessThan(2500)
    expect(of('result')).toHaveLength(of('intent').length)
  })

  test('only failures for as long as patience lasts', async () => {
    const { stop } = await playLoad(makeThreads(1), {
      load: { model: flat(1, 1000) },
      rules: { giveUpAfterMs: 60_000 },
      answer: () => rejection(503),
    })
    expect(stop).toMatchObject({ kind: 'gaveUp', over: 'failures', last: '503 status 503' })
  })

  test('a full disk: no call is sent without its intent', async () => {
    let records = 0
    const { stop, calls } = await playLoad(makeThreads(1), {
      load: { model: flat(10, 10) },
      ports: {
        record: ({ kind }) => {
          if (kind === 'intent' && (records += 1) > 3) throw new StorageError(new Error('full'))
        },
      },
    })
    expect([stop.kind, calls.length]).toEqual(['storage', 3])
  })
})

describe('the closed model', () => {
  test('each user asks, thinks and asks again, and begins no thread after the time', async () => {
    const { stop, of, mostInFlight } = await playLoad(makeThreads(1), {
      load: {
        model: { kind: 'closed', users: 2, durationMs: 1000 },
        thinkTime: { kind: 'constant', ms: 100 },
        maxInFlight: 2,
      },
      serviceMs: ({ number }) => (number % 2 === 0 ? 300 : 200),
    })
    expect(stop).toEqual({ kind: 'done' })
    expect(mostInFlight).toBe(2)
    expect(of('intent').map(({ at, arrival }) => [arrival, at - WALL_START])).toEqual([
      [0, 0],
      [1, 0],
      [2, 300],
      [3, 400],
      [4, 600],
      [5, 800],
      [6, 900],
    ])
    expect(of('result').every(({ waitMs, lagMs }) => waitMs === 0 && lagMs === 0)).toBe(true)
  })

  test('of turns that are due at the same moment the one that was begun first goes first', async () => {
    const { of } = await playLoad(makeThreads(2), {
      load: { model: { kind: 'closed', users: 4, durationMs: 10 }, thinkTime: { kind: 'constant', ms: 100 } },
    })
    expect(of('intent').map(({ arrival, at }) => [arrival, at - WALL_START])).toEqual(
      [0, 110].flatMap((at) => [0, 1, 2, 3].map((arrival) => [arrival, at])),
    )
  })

  test.each<[string, AttemptResult, number, number[]]>([
    ['an error: a second', rejection(500), 0, [0, 1010, 2020]],
    [
      'no connection: a second',
      { kind: 'network', sent: false, code: 'ECONNREFUSED', message: 'refused' },
      0,
      [0, 1010, 2020],
    ],
    ['a 429 that names nothing: a second', rejection(429), 0, [0, 1010, 2020]],
    ['a 429 that names less: a second', rejection(429, { 'retry-after': '0' }), 0, [0, 1010, 2020]],
    ['a 429 that names more: that', rejection(429, { 'retry-after': '2' }), 0, [0, 2010]],
    ['a long think time: that', rejection(500), 1500, [0, 1510]],
  ])('after %s passes before the next thread', async (_, result, ms, expected) => {
    const { of } = await playLoad(makeThreads(2), {
      load: { model: { kind: 'closed', users: 1, durationMs: 3000 }, thinkTime: { kind: 'constant', ms } },
      answer: () => result,
    })
    expect(of('intent').map(({ at }) => at - WALL_START)).toEqual(expected)
  })

  test('a wait of hours that a 429 names is cut to a minute', async () => {
    const { calls } = await playLoad(makeThreads(1), {
      load: { model: { kind: 'closed', users: 1, durationMs: 61_000 } },
      rules: { giveUpAfterMs: 3 * 3_600_000 },
      answer: () => rejection(429, { 'retry-after': '7200' }),
    })
    expect(calls.map(({ at }) => at - (calls[0]?.at ?? 0))).toEqual([0, 60_010])
  })
})
