// Protects the circuit breaker in cases that no run of runner/run.test.ts has.
import { describe, expect, test } from 'vitest'
import { type Observation, observe, type SentCall } from '../../src/pace/observation.ts'
import { nextSendAt, step } from '../../src/pace/policy.ts'
import { createPaceState } from '../../src/pace/state.ts'

const failed = { kind: 'failed', reached: true, cause: 'HTTP 503' } as const
const accepted = { kind: 'accepted' } as const

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

test('opens at the third failure in a row with its cause; calls in flight do not extend the pause', () => {
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

test('an abandoned probe does not count: the next call is the probe', () => {
  const { policy } = openCircuit()
  policy.end(900, policy.send(850), { kind: 'nothing' })
  expect(policy.next(900)).toBe(900)
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
