// An organization's limit: several rules at once, foreign traffic, changes at a time.
import { describe, expect, test } from 'vitest'
import { makeLimiter, rateLimitSchema } from '../../../src/sandbox/limits/limiter.ts'
import { seededDraw } from '../../../src/sandbox/latency.ts'
import { cpuMs } from '../../support/cpu-time.ts'

const START = Date.UTC(2026, 0, 1)

function limiter(config: unknown, seed = 1) {
  return makeLimiter(rateLimitSchema.parse(config), START, seededDraw(seed), 'acme')
}

/** How many of the calls, one every `stepMs`, are let in. */
function countAllowed(take: ReturnType<typeof limiter>, calls: number, stepMs: number, from = 0): number {
  const times = Array.from({ length: calls }, (_, index) => START + from + index * stepMs)
  return times.filter((time) => take(time).allowed).length
}

describe('two rules at once', () => {
  const config = {
    rules: [
      { kind: 'sliding-window', limit: 10, window: '1s' },
      { kind: 'sliding-window', limit: 200, window: '1m' },
    ],
  }

  test('10/s holds at first, 200/min from then on', () => {
    const take = limiter(config)
    expect(countAllowed(take, 100, 10)).toBe(10)
    expect(countAllowed(take, 2000, 10, 1000)).toBe(190)
    expect(countAllowed(take, 1000, 10, 21_000)).toBe(0)
  })

  test('names the rule that refuses longest', () => {
    const take = limiter(config)
    countAllowed(take, 2000, 10)
    const { allowed, nextAt } = take(START + 20_000)
    expect(allowed).toBe(false)
    expect(nextAt).toBe(START + 60_000)
  })

  test('a refused call spends none of them', () => {
    const take = limiter({
      rules: [
        { kind: 'sliding-window', limit: 1, window: '1s' },
        { kind: 'sliding-window', limit: 3, window: '1h' },
      ],
    })
    expect(countAllowed(take, 50, 10)).toBe(1)
    expect(take(START + 999).standings.map((one) => one.remaining)).toEqual([0, 2])
  })
})

test('without rules everything passes', () => {
  expect(countAllowed(limiter({ rules: [] }), 100, 0)).toBe(100)
})

describe('a limit that changes', () => {
  const config = {
    rules: [{ kind: 'fixed-window', limit: 10, window: '1s' }],
    changes: [
      { after: '20s', rules: [] },
      { after: '10s', rules: [{ kind: 'fixed-window', limit: 2, window: '1s' }] },
    ],
  }

  test('at its time, whatever the order in the file', () => {
    const take = limiter(config)
    expect(countAllowed(take, 1000, 10)).toBe(100)
    expect(countAllowed(take, 1000, 10, 10_000)).toBe(20)
    expect(countAllowed(take, 1000, 10, 20_000)).toBe(1000)
  })
})

describe('foreign traffic', () => {
  const config = {
    rules: [{ kind: 'sliding-window', limit: 60, window: '1m' }],
    foreignTraffic: { calls: 30, window: '1m' },
  }

  test('leaves about half of the limit over an hour', () => {
    const allowed = countAllowed(limiter(config), 36_000, 100)
    expect(allowed).toBeGreaterThan(1700)
    expect(allowed).toBeLessThan(1900)
  })

  test.each(['fixed-window', 'sliding-window', 'token-bucket', 'gcra'])(
    'that alone is more than a %s allows leaves little, and no debt',
    (kind) => {
      const take = limiter({
        rules: [{ kind, limit: 60, window: '1m' }],
        foreignTraffic: { calls: 600, window: '1m' },
      })
      expect(countAllowed(take, 36_000, 100)).toBeLessThan(kind === 'fixed-window' ? 2000 : 600)
      expect(take(START + 3_600_000).nextAt).toBeLessThanOrEqual(START + 3_600_000 + 121_000)
    },
  )

  test('is the same for the same seed, and another for another', () => {
    const pattern = (seed: number) => {
      const take = limiter(config, seed)
      return Array.from({ length: 600 }, (_, index) => take(START + index * 500).allowed)
    }
    expect(pattern(1)).toEqual(pattern(1))
    expect(pattern(1)).not.toEqual(pattern(2))
  })

  test('is caught up with after a long silence without counting through it', () => {
    const take = limiter({ ...config, foreignTraffic: { calls: 1000, window: '1s' } })
    let days = 0
    expect(cpuMs(1000, () => take(START + (days += 30) * 86_400_000))).toBeLessThan(1000)
  })
})
