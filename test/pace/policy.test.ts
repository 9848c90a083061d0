// Protects the pacing policy by examples of its arithmetic. scenarios.test.ts covers whole limits.
import { describe, expect, test } from 'vitest'
import { readHints } from '../../src/pace/observation.ts'
import { afterAnswer, afterRefusal, afterSend, capOf, createInFlightLimit } from '../../src/pace/in-flight.ts'
import { nextPause } from '../../src/pace/pause.ts'
import { paceOf } from '../../src/pace/policy.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { ours, type Ours } from '../bench/pacing/ours.ts'
import {
  bucket,
  down,
  fixed,
  leakyQueue,
  limited,
  retryAfter,
  sliding,
  type Server,
  workers,
} from '../bench/pacing/servers.ts'
import { type Contender, simulate } from '../bench/pacing/simulate.ts'

const random = (): number => 0.5
const accepted = { kind: 'accepted' } as const
const refused = (namedMs?: number) => ({ kind: 'rateLimited', namedMs }) as const
const failed = { kind: 'failed', reached: true, cause: 'HTTP 500' } as const

describe('the next probe', () => {
  const episode = { slotMs: 8, namedMs: undefined, windowLeftMs: 0, isFirst: true }

  test('is due after at most an hour without a named wait', () => {
    const late = { ...episode, refusedProbes: 14, closedForMs: 18_000_000, sinceOpeningMs: 18_100_000 }
    expect(nextPause(late)).toBe(3_600_000)
  })

  test('is at the end of a block of 5 s, or at a turn only where a block would be named', () => {
    const second = { ...episode, refusedProbes: 2, closedForMs: 2000, sinceOpeningMs: 5200 }
    expect(nextPause(second)).toBe(3100)
    expect(nextPause({ ...second, namedMs: 1000 })).toBe(4900)
    expect(nextPause({ ...second, namedMs: 1000, isFirst: false })).toBe(3100)
  })
})

describe('auto', () => {
  test.each([
    ['waits for more than an hour if the endpoint names it', 86_400_000, 86_400_000],
    ['waits for at most 35 years', 1e18, 2 ** 40],
  ])('%s', (_, namedMs, closedMs) => {
    const policy = ours(random)
    policy.onAnswer(100, policy.onSend(0, 1), refused(namedMs))
    expect(policy.nextSendAt(100, 0)).toBe(100 + closedMs)
    expect(paceOf(policy.state).pause).toEqual({ from: 100, until: 100 + closedMs })
  })

  test('treats a probe as accepted after at most 3 s without an answer, however slow 429s are', () => {
    const policy = ours(random)
    policy.onAnswer(10_000, policy.onSend(0, 1), refused())
    policy.onSend(10_250, 1)
    expect(policy.nextSendAt(10_250, 1)).toBe(13_250)
  })

  test('goes on where others had used up the limit before the first call', () => {
    const closedMs = 9000
    const policy = ours(random)
    let now = 0
    const at: number[] = []
    while (at.length < 20 && now < 120_000) {
      now = Math.max(now, policy.nextSendAt(now, 0))
      const sending = policy.onSend(now, 1)
      policy.onAnswer(now + 50, sending, now < closedMs ? refused() : accepted)
      if (now >= closedMs) at.push(now)
      now += 50
    }
    // Twice as long as it was closed, and then a call a second at the least.
    expect(at.at(-1)).toBeLessThan(2 * closedMs + 20_000)
  })

  test('tries a window that has accepted as many calls as the one before when that was over', () => {
    const policy = ours(random)
    const server = limited([fixed(20, 20)])
    const refusedAt: number[] = []
    let now = 7000
    for (let sent = 0; sent < 80; sent += 1) {
      now = Math.max(now, policy.nextSendAt(now, 0))
      const sending = policy.onSend(now, 1)
      const { admitted } = server.arrive(now)
      policy.onAnswer(now + 5, sending, admitted ? accepted : refused(1000))
      if (!admitted) refusedAt.push(now)
      now += 5
    }
    // The search for the window's end: it turned 13 s after the first call, and lasts for 20 s.
    expect(refusedAt.filter((at) => at < 20_000)).toHaveLength(4)
    expect(refusedAt.filter((at) => at > 20_000 && at < 40_000)).toHaveLength(2)
  })

  test('obeys the longer of two waits', () => {
    const policy = ours(random)
    const [first, second] = [policy.onSend(0, 1), policy.onSend(10, 2)]
    policy.onAnswer(100, first, refused(9000))
    policy.onAnswer(200, second, refused(1000))
    expect(policy.nextSendAt(200, 0)).toBe(9100)
  })

  test('a permit that is returned unused is no first call, and no accepted probe', () => {
    const policy = ours(random)
    policy.onAnswer(100, policy.onSend(0, 1), { kind: 'nothing' })
    policy.onAnswer(300, policy.onSend(250, 1), accepted)
    for (const at of [1000, 1310, 2170]) policy.onAnswer(at + 60, policy.onSend(at, 1), refused())
    expect(policy.nextSendAt(2230, 0)).toBe(5350)
    policy.onAnswer(5400, policy.onSend(5350, 1), { kind: 'nothing' })
    policy.onAnswer(5460, policy.onSend(5400, 1), refused())
    expect(policy.state.closed?.refusedProbes).toBe(4)
  })

  test('does not slow down for failures, but three in a row pause it', () => {
    const policy = ours(random)
    const [a, b, c] = [policy.onSend(0, 1), policy.onSend(250, 2), policy.onSend(500, 3)]
    policy.onAnswer(600, a, failed)
    policy.onAnswer(600, b, failed)
    expect(policy.onAnswer(600, c, failed)).toBe('3 failures in a row, last HTTP 500')
    expect(paceOf(policy.state).pace).toBe(4)
    expect(policy.nextSendAt(600, 0)).toBe(1350)
  })
})

describe('a stated policy', () => {
  const hundred = (left: number): string => `"d";q=100;w=900 | "d";r=${left};t=900`
  const known = { known: 2 }
  const [START, STATED] = [250, Math.round(900_000 / 99)]
  /** `RateLimit-Policy | RateLimit | X-RateLimit-Remaining` */
  const headersOf = (text: string): Record<string, string> => {
    const names = ['ratelimit-policy', 'ratelimit', 'x-ratelimit-remaining']
    return Object.fromEntries(text.split(' | ').flatMap((field, at) => (field ? [[names[at], field]] : [])))
  }

  /** Sends `calls`, each answered after 10 ms with the headers of its number. Returns the last gap, in ms. */
  function lastGap(policy: Ours, calls: number, stated: (call: number) => string): number {
    let [now, before] = [0, 0]
    for (let call = 1; call <= calls; call += 1) {
      ;[before, now] = [now, policy.nextSendAt(now, 0)]
      policy.state = { ...policy.state, left: calls - call }
      const sending = policy.onSend(now, 1)
      policy.onAnswer(now + 10, sending, { kind: 'accepted', hints: readHints(headersOf(stated(call)), 0) })
    }
    return Math.round(now - before)
  }

  test.each<[string, number, (call: number) => string, object, number]>([
    ['sets no pace while what remains covers what is left', 5, (call) => hundred(5 - call), {}, START],
    ['sets the pace if one call is not covered', 5, (call) => hundred(4 - call), {}, STATED],
    ['sets the pace from the first answer on', 2, () => '100;w=900', {}, STATED],
    ['sets the pace if what remains is not stated', 5, () => '100;w=900', {}, STATED],
    ['sets the pace once others have used it', 8, (call) => hundred(call < 4 ? 50 : 1), {}, STATED],
    ['sets no pace any more once it is reset', 8, (call) => hundred(call < 4 ? 0 : 99), {}, START],
    ['beside a faster one', 5, () => '"s";q=10;w=1, "d";q=100;w=900 | "s";r=0;t=1, "d";r=99;t=900', {}, 101],
    ['in the form of one older field', 5, () => '100;w=900 | limit=100, remaining=42, reset=9', {}, START],
    ['beside x- fields', 5, () => '100;w=900 |  | 42', {}, START],
    ['leaves a known rate while it covers what is left', 5, () => hundred(99), known, Math.round(500 / 0.99)],
    ['lowers a known rate', 5, () => hundred(1), known, STATED],
    ['covers only our share', 5, () => hundred(2), { share: 0.5 }, 2 * STATED],
  ])('%s', (_, calls, stated, options, gap) => {
    expect(lastGap(ours(random, options), calls, stated)).toBe(gap)
  })

  test('is named while it sets the pace', () => {
    const policy = ours(random)
    lastGap(policy, 5, () => hundred(0))
    expect(paceOf(policy.state)).toMatchObject({ policy: '100 calls in 15 min (policy "d")' })
    policy.state = { ...policy.state, left: 9 }
    policy.onAnswer(9e6, policy.onSend(9e6, 1), {
      kind: 'accepted',
      hints: readHints(headersOf(hundred(99)), 0),
    })
    expect(paceOf(policy.state).policy).toBeUndefined()
  })
})

describe('a share of the limit', () => {
  test('applies to a known rate', () => {
    expect(paceOf(ours(random, { known: 10, share: 0.5 }).state).pace).toBeCloseTo(4.95)
  })

  test('applies to a concurrency limit', () => {
    const policy = ours(random, { share: 0.5 })
    const hints = readHints({ 'ratelimit-policy': '"a";q=10;qu="concurrent-requests"' }, 0)
    policy.onAnswer(100, policy.onSend(0, 1), { kind: 'accepted', hints })
    expect(policy.nextSendAt(10_000, 4)).toBe(10_000)
    expect(policy.nextSendAt(10_000, 5)).toBe(Infinity)
  })
})

test.each<[string, Server, RegExp]>([
  ['an outage that is over by its first probe', down(limited([]), 2000, 2200), /^$/],
  [
    'a queue that is full again and again',
    leakyQueue(4, 8),
    /^503s come back as the pace rises: .* about .+(s|min)\. --rate/,
  ],
  [
    'workers that are few',
    workers(4),
    /^answers take .* about (5|6|7) at once keep it busy. --concurrency \1 /,
  ],
])('the trouble of %s is named for what it is', (_, server, expected) => {
  const policy = ours(seededRandom(1))
  let said = ''
  const recording: Contender = {
    ...policy,
    onAnswer: (now, sending, observation) => {
      policy.onAnswer(now, sending, observation)
      said = paceOf(policy.state).advice ?? said
    },
  }
  simulate(recording, server, { calls: 200, random: seededRandom(2), medianMs: 200, sigma: 0, cap: 64 })
  expect(said).toMatch(expected)
})

describe('a stated rate', () => {
  const fast = { random: seededRandom(2), medianMs: 100, sigma: 0, cap: 64, lateShare: 0 }

  /** Sends calls at a stated 10/s to a limit, and returns when each was accepted. */
  function sendAtTen(server: Server, calls: number) {
    const policy = ours(seededRandom(1), { known: 10 })
    const at: number[] = []
    let isNamed = false
    const recording: Contender = {
      ...policy,
      onAnswer: (now, sending, observation) => {
        if (observation.kind === 'accepted') at.push(sending.at)
        policy.onAnswer(now, sending, observation)
        isNamed ||= paceOf(policy.state).advice !== undefined
      },
    }
    const { refused: count } = simulate(recording, server, { ...fast, calls })
    return { at: at.toSorted((a, b) => a - b), refused: count, wasNamed: () => isNamed }
  }

  /** Refuses for `closedMs` from each of those calls on, with these headers. */
  function strays(numbers: readonly number[], closedMs: number, headers: Record<string, string>): Server {
    let [number, closedUntil] = [0, -Infinity]
    return {
      arrive: (now) => {
        if (now >= closedUntil) {
          number += 1
          if (numbers.includes(number)) closedUntil = now + closedMs
        }
        const admitted = now >= closedUntil
        return { admitted, headers: admitted ? {} : headers }
      },
      finish: () => undefined,
    }
  }

  /** Milliseconds that each pause may take. */
  test.each<[string, number[], number, Record<string, string>, number]>([
    ['with Retry-After', [10], 3000, { 'retry-after': '3' }, 3200],
    ['again and again', [10, 25, 40, 60, 80], 10, {}, 300],
    ['for longer than Retry-After says', [10], 2500, { 'retry-after': '1' }, 5000],
  ])('is the rate again after a stray 429 %s', (_, numbers, closedMs, headers, pauseMs) => {
    const { at } = sendAtTen(strays(numbers, closedMs, headers), 300)
    const tookMs = (at.at(-1) ?? 0) - (at[0] ?? 0)
    expect(tookMs).toBeLessThan(299 * (100 / 0.98) + numbers.length * pauseMs)
    const [from = 0, to = 0] = [at[100], at[299]]
    expect((199 * 1000) / (to - from)).toBeGreaterThan(9.8)
  })

  test.each<[string, Server, number]>([
    ['twice, bucket', limited([bucket(5, 10)]), 0.05],
    ['twice, without a burst', limited([bucket(5, 1)]), 0.05],
    ['twice, fixed window', limited([fixed(50, 10)]), 0.1],
    ['twice, each 429 with the wait', limited([fixed(25, 5)], retryAfter), 0.05],
  ])('that is too high, %s, is refused now and then, uses the limit, and is named', (_, server, most) => {
    const { at, refused: count, wasNamed } = sendAtTen(server, 600)
    expect(at).toHaveLength(600)
    expect(count / (600 + count)).toBeLessThan(most)
    expect((at.at(-1) ?? 0) / 1000).toBeLessThan(600 / 5 / 0.75)
    expect(wasNamed()).toBe(true)
  })

  test('of which one call was refused is not named', () => {
    expect(sendAtTen(strays([10], 10, {}), 100).wasNamed()).toBe(false)
  })
})

/** A step or a query that changed it would throw. */
function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(freeze)
  return Object.freeze(value)
}

test('the state, written as JSON, stays below 8 KB and continues the same after it is read', () => {
  const load = () => ({ calls: 1000, random: seededRandom(3), medianMs: 2000, sigma: 0.6, cap: 64 })
  const [plain, written] = [ours(seededRandom(1)), ours(seededRandom(1))]
  let largest = 0
  const copied: Contender = {
    ...written,
    onAnswer: (now, sending, observation) => {
      const text = JSON.stringify(written.state)
      largest = Math.max(largest, text.length)
      written.state = freeze(JSON.parse(text))
      written.onAnswer(now, sending, observation)
    },
  }
  const make = (): Server => limited([sliding(300, 60)])
  expect(simulate(copied, make(), load())).toEqual(simulate(plain, make(), load()))
  expect(largest).toBeLessThan(8000)
  expect(written.state).toEqual(plain.state)
})

test('a count above which calls are accepted is no limit on concurrency', () => {
  let limit = createInFlightLimit()
  for (let time = 0; time < 5; time += 1) {
    ;({ limit } = afterRefusal(limit, 3, true))
    // One answer may have been on its way, so that the endpoint counted a call less.
    limit = afterAnswer(limit, { number: 4 * time, at: 0, inFlight: time === 0 ? 3 : 4 }, 150, 4 * time + 1)
    expect(capOf(limit)).toBe(Infinity)
  }
  for (let time = 0; time < 3; time += 1) ({ limit } = afterRefusal(limit, 3, true))
  expect(capOf(limit)).toBe(2)
})

test('a count at which a probe was refused that was accepted before is no limit on concurrency', () => {
  let limit = createInFlightLimit()
  for (let time = 0; time < 5; time += 1) {
    for (let inFlight = 1; inFlight <= 7; inFlight += 1) limit = afterSend(limit, inFlight)
    ;({ limit } = afterRefusal(limit, 7, true))
    expect(capOf(limit)).toBe(Infinity)
    ;({ limit } = afterRefusal(limit, 6, false))
  }
})
