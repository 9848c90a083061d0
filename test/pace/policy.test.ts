// The arithmetic of pacing: when the next call may go after what came.
import { describe, expect, test } from 'vitest'
import { createPolicy, type Policy } from '../../src/pace/policy.ts'

const half = (): number => 0.5
const accepted = { kind: 'accepted' } as const
const refused = (namedMs?: number) => ({ kind: 'rateLimited', namedMs }) as const
const failed = { kind: 'failed', reached: true, cause: 'HTTP 500' } as const
const unreached = { kind: 'failed', reached: false, cause: 'ECONNREFUSED' } as const

/** Milliseconds until the next call may go. */
const wait = (policy: Policy, now: number): number => Math.max(0, policy.nextSendAt() - now)

describe('a known rate', () => {
  test('sends one gap apart, 1 % below the rate, and never repays idle time', () => {
    const policy = createPolicy({ kind: 'known', perSecond: 10 }, half)
    expect(wait(policy, 0)).toBe(0)
    policy.onSend(0)
    expect(wait(policy, 0)).toBeCloseTo(101.01, 2)
    policy.onSend(5000)
    expect(wait(policy, 5000)).toBeCloseTo(101.01, 2)
  })

  test('keeps its pace after a refusal', () => {
    const policy = createPolicy({ kind: 'known', perSecond: 10 }, half)
    policy.onAnswer(100, 0, refused())
    expect(policy.state().pace).toBeCloseTo(9.9)
  })
})

describe('auto', () => {
  test('doubles from 4/s while nothing is refused, and halves at the first refusal', () => {
    const policy = createPolicy({ kind: 'auto' }, half)
    expect(policy.state().pace).toBe(4)
    for (let call = 1; call <= 5; call += 1) policy.onAnswer(call * 250, call * 250 - 10, accepted)
    expect(policy.state().pace).toBe(8)
    policy.onAnswer(2000, 1990, refused())
    expect(policy.state().pace).toBe(4)
  })

  test('does not double again for answers that come in one instant', () => {
    const policy = createPolicy({ kind: 'auto' }, half)
    for (let call = 0; call < 40; call += 1) policy.onAnswer(1000, 900, accepted)
    expect(policy.state().pace).toBe(8)
  })

  test('grows by 5 % for 20 calls taken once it has been refused', () => {
    const policy = createPolicy({ kind: 'auto' }, half)
    policy.onAnswer(100, 50, refused())
    const { pace } = policy.state()
    for (let call = 0; call < 20; call += 1) policy.onAnswer(10_000 + call, 10_000, accepted)
    expect(policy.state().pace).toBeCloseTo((pace ?? 0) * 1.05)
  })
})

describe('a refusal closes the gate for everybody', () => {
  test('for the time that the endpoint named', () => {
    const policy = createPolicy({ kind: 'unlimited' }, half)
    policy.onAnswer(1000, 900, refused(7000))
    expect(wait(policy, 1000)).toBe(7000)
    expect(policy.state().closure).toMatchObject({ named: true })
  })

  test('else with full jitter under a ceiling that doubles with each refusal, up to a minute', () => {
    const policy = createPolicy({ kind: 'unlimited' }, half)
    let now = 0
    const waits = Array.from({ length: 9 }, () => {
      policy.onAnswer(now, now, refused())
      const waited = wait(policy, now)
      now += waited + 1
      return waited
    })
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000])
  })

  test('calls that were under way when it closed do not close it again', () => {
    const policy = createPolicy({ kind: 'unlimited' }, half)
    policy.onAnswer(1000, 900, refused())
    const until = policy.nextSendAt()
    expect(policy.onAnswer(1005, 950, refused())).toBeUndefined()
    expect(policy.nextSendAt()).toBe(until)
  })

  test('but a longer wait that they name extends it', () => {
    const policy = createPolicy({ kind: 'unlimited' }, half)
    policy.onAnswer(1000, 900, refused(2000))
    policy.onAnswer(1005, 950, refused(9000))
    expect(policy.nextSendAt()).toBe(10_005)
  })

  test('and starts small again after a call was taken', () => {
    const policy = createPolicy({ kind: 'unlimited' }, half)
    policy.onAnswer(0, 0, refused())
    policy.onAnswer(5000, 5000, refused())
    policy.onAnswer(20_000, 19_000, accepted)
    policy.onAnswer(30_000, 30_000, refused())
    expect(wait(policy, 30_000)).toBe(1000)
  })
})

describe('failures', () => {
  test('two in a row close nothing, the third does', () => {
    const policy = createPolicy({ kind: 'unlimited' }, half)
    policy.onAnswer(0, 0, failed)
    policy.onAnswer(1, 0, failed)
    expect(wait(policy, 1)).toBe(0)
    expect(policy.onAnswer(2, 0, failed)?.cause).toMatch(/3 failures in a row, last HTTP 500/)
    expect(wait(policy, 2)).toBe(750)
  })

  test('a missing connection closes at once', () => {
    const policy = createPolicy({ kind: 'unlimited' }, half)
    expect(policy.onAnswer(0, 0, unreached)?.cause).toBe('no connection: ECONNREFUSED')
    expect(wait(policy, 0)).toBe(750)
  })

  test('do not cut the pace', () => {
    const policy = createPolicy({ kind: 'auto' }, half)
    for (let call = 0; call < 5; call += 1) policy.onAnswer(call, call, failed)
    expect(policy.state().pace).toBe(4)
  })
})
