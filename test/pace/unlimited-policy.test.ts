// Without a pace: refusals and failures close the gate for everybody.
import { describe, expect, test } from 'vitest'
import type { Policy, Sending } from '../../src/pace/policy.ts'
import { createUnlimitedPolicy } from '../../src/pace/unlimited-policy.ts'

const half = (): number => 0.5
const accepted = { kind: 'accepted' } as const
const refused = (namedMs?: number) => ({ kind: 'rateLimited', namedMs }) as const
const failed = { kind: 'failed', reached: true, cause: 'HTTP 500' } as const
const unreached = { kind: 'failed', reached: false, cause: 'ECONNREFUSED' } as const

/** Milliseconds until the next call may go. */
const wait = (policy: Policy, now: number): number => policy.nextSendAt(now, 0) - now

describe('a refusal closes the gate for everybody', () => {
  test('for the time that the endpoint named', () => {
    const policy = createUnlimitedPolicy(half)
    policy.onAnswer(1000, policy.onSend(900, 1), refused(7000))
    expect(wait(policy, 1000)).toBe(7000)
  })

  test('else with full jitter under a ceiling that doubles with each refusal, up to a minute', () => {
    const policy = createUnlimitedPolicy(half)
    let now = 0
    const waits = Array.from({ length: 9 }, () => {
      policy.onAnswer(now, policy.onSend(now, 1), refused())
      const waited = wait(policy, now)
      now += waited + 1
      return waited
    })
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000])
  })

  test('calls that were under way when it closed do not close it again', () => {
    const policy = createUnlimitedPolicy(half)
    const [first, second] = [policy.onSend(900, 1), policy.onSend(950, 2)]
    policy.onAnswer(1000, first, refused())
    const until = policy.nextSendAt(1000, 1)
    expect(policy.onAnswer(1005, second, refused())).toBeUndefined()
    expect(policy.nextSendAt(1005, 0)).toBe(until)
  })

  test('nor do calls that left while it was closed, as those of a timetable do', () => {
    const policy = createUnlimitedPolicy(half)
    policy.onAnswer(1000, policy.onSend(900, 1), refused())
    const until = policy.nextSendAt(1000, 1)
    for (let at = 1000; at < until; at += 50)
      expect(policy.onAnswer(at + 10, policy.onSend(at, 1), refused())).toBeUndefined()
    expect(policy.nextSendAt(until - 1, 1)).toBe(until)
    policy.onAnswer(until + 10, policy.onSend(until, 1), refused())
    expect(wait(policy, until + 10)).toBe(2000)
  })

  test('but a longer wait that they name extends it', () => {
    const policy = createUnlimitedPolicy(half)
    const [first, second] = [policy.onSend(900, 1), policy.onSend(950, 2)]
    policy.onAnswer(1000, first, refused(2000))
    policy.onAnswer(1005, second, refused(9000))
    expect(policy.nextSendAt(1005, 0)).toBe(10_005)
  })

  test('and does not double where some of those that left together were taken', () => {
    const policy = createUnlimitedPolicy(half)
    let now = 0
    const waits = Array.from({ length: 5 }, () => {
      const [taken, ...others] = [policy.onSend(now, 1), policy.onSend(now, 2), policy.onSend(now, 3)]
      for (const other of others) policy.onAnswer(now + 5, other, refused())
      const waited = wait(policy, now + 5)
      if (taken !== undefined) policy.onAnswer(now + 100, taken, accepted)
      now += 5 + waited
      return waited
    })
    expect(waits).toEqual([1000, 1000, 1000, 1000, 1000])
  })

  test('and starts small again after a call was taken', () => {
    const policy = createUnlimitedPolicy(half)
    policy.onAnswer(0, policy.onSend(0, 1), refused())
    policy.onAnswer(5000, policy.onSend(5000, 1), refused())
    expect(policy.onAnswer(20_000, policy.onSend(19_000, 1), accepted)?.cause).toBe('calls are taken again')
    policy.onAnswer(30_000, policy.onSend(30_000, 1), refused())
    expect(wait(policy, 30_000)).toBe(1000)
  })
})

describe('once the gate opens again', () => {
  /** Sends as many as may go at that moment, a hundred at most. */
  const sendAll = (policy: Policy, now: number): Sending[] => {
    const sent: Sending[] = []
    while (sent.length < 100 && wait(policy, now) <= 0) sent.push(policy.onSend(now, sent.length + 1))
    return sent
  }

  test('few go, and more with what is taken; a refusal closes it, and few go once more', () => {
    const policy = createUnlimitedPolicy(half)
    policy.onAnswer(10, policy.onSend(0, 1), refused(1000))
    const rounds = [1010, 1020, 1030].map((now) => {
      const round = sendAll(policy, now)
      for (const one of round) policy.onAnswer(now + 5, one, accepted)
      return round.length
    })
    expect(rounds).toEqual([2, 4, 8])
    for (const one of sendAll(policy, 1040)) policy.onAnswer(1045, one, refused(1000))
    expect(wait(policy, 1045)).toBe(1000)
    expect(sendAll(policy, 2045)).toHaveLength(2)
  })

  test('failures hold nobody up: they are no refusals', () => {
    const policy = createUnlimitedPolicy(half)
    policy.onAnswer(10, policy.onSend(0, 1), refused(1000))
    for (const one of sendAll(policy, 1010)) policy.onAnswer(1015, one, failed)
    expect(sendAll(policy, 1015)).toHaveLength(4)
  })

  test('without a refusal, as many go as want to', () => {
    const policy = createUnlimitedPolicy(half)
    expect(sendAll(policy, 0)).toHaveLength(100)
  })
})

describe('failures', () => {
  test('two in a row close nothing, the third does', () => {
    const policy = createUnlimitedPolicy(half)
    policy.onAnswer(0, policy.onSend(0, 1), failed)
    policy.onAnswer(1, policy.onSend(0, 1), failed)
    expect(wait(policy, 1)).toBe(0)
    expect(policy.onAnswer(2, policy.onSend(1, 1), failed)?.cause).toBe('3 failures in a row, last HTTP 500')
    expect(wait(policy, 2)).toBe(750)
  })

  test('a missing connection closes at once', () => {
    const policy = createUnlimitedPolicy(half)
    expect(policy.onAnswer(0, policy.onSend(0, 1), unreached)?.cause).toBe('no connection: ECONNREFUSED')
    expect(wait(policy, 0)).toBe(750)
  })
})
