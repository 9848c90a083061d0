// The circuit breaker: three failures in a row open it, then one probe at a time asks.
import { describe, expect, test } from 'vitest'
import { createClosures } from '../../src/pace/closures.ts'
import { createUnlimitedPolicy } from '../../src/pace/unlimited-policy.ts'

const failed = { kind: 'failed', reached: true, cause: 'HTTP 503' } as const
const accepted = { kind: 'accepted' } as const

function openCircuit() {
  const policy = createUnlimitedPolicy(() => 0.5)
  const under = [1, 2, 3, 4, 5].map((inFlight) => policy.onSend(0, inFlight))
  const changes = under.slice(0, 3).map((sending) => policy.onAnswer(100, sending, failed))
  return { policy, changes, late: under.slice(3) }
}

test('opens with the third failure in a row, and says why', () => {
  const { policy, changes } = openCircuit()
  expect(changes.map((change) => change?.cause)).toEqual([
    undefined,
    undefined,
    '3 failures in a row, last HTTP 503',
  ])
  expect(policy.nextSendAt(100, 2)).toBe(850)
})

test('what was under way when it opened does not lengthen the pause', () => {
  const { policy, late } = openCircuit()
  for (const sending of late) expect(policy.onAnswer(200, sending, failed)).toBeUndefined()
  expect(policy.nextSendAt(200, 0)).toBe(850)
})

test('lets one probe out, and nothing beside it until it has come back', () => {
  const { policy } = openCircuit()
  const probe = policy.onSend(850, 1)
  expect(policy.nextSendAt(900, 1)).toBe(Infinity)
  expect(policy.nextSendAt(100_000, 1)).toBe(Infinity)
  policy.onAnswer(1000, probe, failed)
  const next = policy.nextSendAt(1000, 0)
  expect(next).toBeGreaterThan(1000)
  expect(next).toBeLessThan(Infinity)
  const second = policy.onSend(next, 1)
  expect(policy.onAnswer(next + 10, second, accepted)?.cause).toBe('calls are taken again')
  expect(policy.nextSendAt(next + 10, 0)).toBe(next + 10)
})

test('a refusal says that the endpoint is there; a probe given up says nothing', () => {
  const { policy } = openCircuit()
  const abandoned = policy.onSend(850, 1)
  policy.onAnswer(900, abandoned, { kind: 'nothing' })
  expect(policy.nextSendAt(900, 0)).toBe(900)
  const refused = policy.onSend(900, 1)
  policy.onAnswer(950, refused, { kind: 'rateLimited', namedMs: 1000 })
  expect(policy.nextSendAt(1000, 0)).toBe(1950)
  policy.onSend(1950, 1)
  expect(policy.nextSendAt(1951, 1)).toBe(1951)
})

test('a wait of more than an hour is cut to one, however long the endpoint names', () => {
  const closures = createClosures()
  closures.close(0, 3_600_000)
  expect(closures.current).toEqual({ from: 0, until: 3_600_000 })
  closures.close(1, 86_400_000)
  expect(closures.current).toEqual({ from: 1, until: 3_600_001 })
})

describe('Retry-After on a failure', () => {
  const busy = { ...failed, namedMs: 5000 }

  test('closes the gate for so long at once, whatever answers come meanwhile', () => {
    const policy = createUnlimitedPolicy(() => 0)
    const [first, second] = [policy.onSend(0, 1), policy.onSend(0, 2)]
    expect(policy.onAnswer(100, first, busy)).toMatchObject({
      closure: { from: 100, until: 5100 },
      cause: 'HTTP 503, Retry-After 5 s',
    })
    policy.onAnswer(200, second, accepted)
    expect(policy.nextSendAt(300, 0)).toBe(5100)
    expect(policy.nextSendAt(5100, 0)).toBe(5100)
  })

  test('extends the wait where the circuit is open already', () => {
    const { policy, late } = openCircuit()
    for (const sending of late) policy.onAnswer(200, sending, busy)
    expect(policy.nextSendAt(1000, 0)).toBe(5200)
  })
})
