// Protects the circuit breaker: three failures in a row open it, then it sends one probe at a time. Without a pace, 429s open it, too.
import { describe, expect, test } from 'vitest'
import { type Observation, observe } from '../../src/pace/observation.ts'
import { nextSendAt, step } from '../../src/pace/policy.ts'
import { createPaceState, type SentCall } from '../../src/pace/state.ts'

const failed = { kind: 'failed', reached: true, cause: 'HTTP 503' } as const
const unreached = { kind: 'failed', reached: false, cause: 'ECONNREFUSED' } as const
const accepted = { kind: 'accepted' } as const
const refused = (namedMs?: number) => ({ kind: 'rateLimited', namedMs }) as const

function unlimited(random: () => number = () => 0.5) {
  let state = createPaceState({ rate: { kind: 'unlimited' }, concurrency: 64, share: 1 })
  return {
    next: (now: number) => nextSendAt(state, now, 0),
    send: (at: number): SentCall => {
      const call = { number: state.sent, at, inFlight: 1 }
      state = step(state, { kind: 'sent', call })
      return call
    },
    /** Returns what changed, in words. */
    end: (at: number, call: SentCall, observation: Observation): string | undefined => {
      const before = state.reported
      state = step(state, { kind: 'ended', at, call, observation, random: random() })
      return state.reported === before ? undefined : state.reported.cause
    },
  }
}

function openCircuit() {
  const policy = unlimited()
  const under = [1, 2, 3, 4, 5].map(() => policy.send(0))
  const changes = under.slice(0, 3).map((sending) => policy.end(100, sending, failed))
  return { policy, changes, late: under.slice(3) }
}

test('opens at the third failure in a row and reports the cause; calls in flight do not extend the pause', () => {
  const { policy, changes, late } = openCircuit()
  expect(changes).toEqual([undefined, undefined, '3 failures in a row, last HTTP 503'])
  expect(policy.next(100)).toBe(850)
  for (const sending of late) expect(policy.end(200, sending, failed)).toBeUndefined()
  expect(policy.next(200)).toBe(850)
})

test('names the error.code of a 429, cut to what the state may hold', () => {
  const policy = unlimited()
  const error = (code: string) =>
    ({ error: { code, message: 'm' }, kind: 'rejection', httpStatus: 429 }) as const
  expect(policy.end(0, policy.send(0), observe(error('quota_exceeded'), 0))).toBe('429 quota_exceeded')
  const named = { ...error('x'.repeat(500)), headers: { 'retry-after': '7' } }
  expect(policy.end(0, policy.send(0), observe(named, 0))).toBe(`429 ${'x'.repeat(60)}…, Retry-After 7 s`)
})

test('opens at once without a connection', () => {
  const policy = unlimited()
  expect(policy.end(0, policy.send(0), unreached)).toBe('no connection: ECONNREFUSED')
  expect(policy.next(0)).toBe(750)
})

test('sends one probe, and nothing else until the probe has ended', () => {
  const { policy } = openCircuit()
  const probe = policy.send(850)
  expect([policy.next(900), policy.next(100_000)]).toEqual([Infinity, Infinity])
  policy.end(1000, probe, failed)
  const next = policy.next(1000)
  expect(next).toBe(1000 + 250 + 1000)
  expect(policy.end(next + 10, policy.send(next), accepted)).toBe('the endpoint answers again')
  expect(policy.next(next + 10)).toBe(next + 10)
})

test('an abandoned probe does not count: the next call is the probe', () => {
  const { policy } = openCircuit()
  policy.end(900, policy.send(850), { kind: 'nothing' })
  expect(policy.next(900)).toBe(900)
})

test('stays open for the late answer of a call that was sent before', () => {
  const { policy, late } = openCircuit()
  for (const sending of late) expect(policy.end(200, sending, accepted)).toBeUndefined()
  expect(policy.next(200)).toBe(850)
})

describe('Retry-After on a failure', () => {
  const busy = { ...failed, namedMs: 5000 }

  test('applies at once, whatever answers arrive meanwhile', () => {
    const policy = unlimited(() => 0)
    const [first, second] = [policy.send(0), policy.send(0)]
    expect(policy.end(100, first, busy)).toBe('HTTP 503, Retry-After 5 s')
    policy.end(200, second, accepted)
    expect([policy.next(300), policy.next(5100)]).toEqual([5100, 5100])
  })

  test('extends the wait of an open circuit', () => {
    const { policy, late } = openCircuit()
    for (const sending of late) policy.end(200, sending, busy)
    expect(policy.next(1000)).toBe(5200)
  })
})

describe('a 429 without a pace', () => {
  test('otherwise pauses for a random time with a ceiling that doubles with each refused probe, up to a minute', () => {
    const policy = unlimited()
    let now = 0
    const waits = Array.from({ length: 8 }, () => {
      expect(policy.end(now, policy.send(now), refused())).toBe('429')
      const waited = policy.next(now) - now
      now += waited
      return waited - 250
    })
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  })

  test('of a call in flight extends the pause only if it names a longer wait', () => {
    const policy = unlimited()
    const [first, second, third] = [policy.send(900), policy.send(950), policy.send(960)]
    policy.end(1000, first, refused(2000))
    expect(policy.end(1005, second, refused())).toBeUndefined()
    expect(policy.next(1005)).toBe(3000)
    policy.end(1010, third, refused(9000))
    expect(policy.next(1010)).toBe(10_010)
  })
})
