// When patience ends, and what it takes for a spent quota: a table of signs and times.
import { describe, expect, test } from 'vitest'
import { createPatience, type Patience } from '../../src/runner/patience.ts'

const MINUTE = 60_000
const refused = { kind: 'rateLimited', namedMs: undefined } as const
const failed = { kind: 'failed', reached: true, cause: 'HTTP 503' } as const
const accepted = { kind: 'accepted' } as const

/** Notes one sign; `at` in minutes. */
function note(
  patience: Patience,
  at: number,
  observation: typeof refused | typeof failed | typeof accepted,
  code?: string,
  sentAt = at,
): void {
  const sign = { observation, code, words: code ?? 'words', sentAt: sentAt * MINUTE, now: at * MINUTE }
  patience.note(sign, 0)
}

describe('patience', () => {
  test('ends after refusals alone for so long, wherever in the wait that is', () => {
    const patience = createPatience(30 * MINUTE)
    expect(patience.remainingMs(0, 0)).toBeUndefined()
    note(patience, 1, refused, 'RATE')
    expect(patience.remainingMs(11 * MINUTE, 0)).toBe(20 * MINUTE)
    expect(patience.lostOver(30.9 * MINUTE, 0)).toBeUndefined()
    expect(patience.lostOver(31 * MINUTE, 0)).toMatchObject({
      kind: 'gaveUp',
      over: 'refusals',
      last: 'RATE',
    })
  })

  test('begins anew with an answer', () => {
    const patience = createPatience(30 * MINUTE)
    note(patience, 0, failed)
    note(patience, 29, accepted)
    note(patience, 40, failed)
    expect(patience.lostOver(69 * MINUTE, 0)).toBeUndefined()
    expect(patience.lostOver(70 * MINUTE, 0)).toMatchObject({ kind: 'gaveUp', over: 'failures' })
  })

  test('does not count what is excused', () => {
    const patience = createPatience(30 * MINUTE)
    note(patience, 0, refused)
    expect(patience.lostOver(50 * MINUTE, 25 * MINUTE)).toBeUndefined()
    expect(patience.remainingMs(50 * MINUTE, 25 * MINUTE)).toBe(5 * MINUTE)
    expect(patience.lostOver(55 * MINUTE, 25 * MINUTE)).toBeDefined()
  })
})

describe('a spent quota', () => {
  /** A rate limit with this code was met and overcome. */
  const overcome = (giveUpAfterMs = 30 * MINUTE): Patience => {
    const patience = createPatience(giveUpAfterMs)
    note(patience, 0, refused, 'RATE')
    note(patience, 1, accepted)
    return patience
  }
  const refuse = (patience: Patience, code: string | undefined, ...minutes: readonly number[]): void => {
    for (const at of minutes) note(patience, at, refused, code)
  }

  test('is another code than the rate limit, three times, for five minutes', () => {
    const patience = overcome()
    refuse(patience, 'QUOTA', 10, 11, 12)
    expect(patience.remainingMs(12 * MINUTE, 0)).toBe(3 * MINUTE)
    expect(patience.lostOver(14.9 * MINUTE, 0)).toBeUndefined()
    expect(patience.lostOver(15 * MINUTE, 0)).toEqual({
      kind: 'quotaSpent',
      code: 'QUOTA',
      rateLimitCodes: ['RATE'],
      last: 'QUOTA',
      afterMs: 5 * MINUTE,
    })
  })

  test.each([
    ['the rate limit itself', (p: Patience) => refuse(p, 'RATE', 10, 11, 12)],
    ['two refusals', (p: Patience) => refuse(p, 'QUOTA', 10, 11)],
    ['two codes in turn', (p: Patience) => (refuse(p, 'QUOTA', 10, 11), refuse(p, 'RATE', 12))],
    ['refusals without a code', (p: Patience) => refuse(p, undefined, 10, 11, 12)],
  ])('is not %s', (_, refusals) => {
    const patience = overcome()
    refusals(patience)
    expect(patience.lostOver(39 * MINUTE, 0)).toBeUndefined()
    expect(patience.lostOver(42 * MINUTE, 0)).toMatchObject({ kind: 'gaveUp', over: 'refusals' })
  })

  test('is judged by the refusals since the last one of the rate limit', () => {
    const patience = overcome()
    refuse(patience, 'RATE', 10)
    refuse(patience, 'QUOTA', 11, 12, 13)
    expect(patience.lostOver(15.9 * MINUTE, 0)).toBeUndefined()
    expect(patience.lostOver(16 * MINUTE, 0)).toMatchObject({ kind: 'quotaSpent', code: 'QUOTA' })
  })

  test('is told by the rate limit of an earlier sitting', () => {
    const patience = createPatience(30 * MINUTE, ['RATE'])
    refuse(patience, 'QUOTA', 0, 1, 2)
    expect(patience.lostOver(5 * MINUTE, 0)).toMatchObject({ kind: 'quotaSpent', rateLimitCodes: ['RATE'] })
  })

  test('is told where short patience ends before it has persisted', () => {
    const patience = overcome(2 * MINUTE)
    refuse(patience, 'RATE', 10)
    refuse(patience, 'QUOTA', 10.5, 11, 11.5)
    expect(patience.lostOver(11.9 * MINUTE, 0)).toBeUndefined()
    expect(patience.lostOver(12 * MINUTE, 0)).toMatchObject({ kind: 'quotaSpent' })
  })

  test('cannot be told where no rate limit was met before', () => {
    const patience = createPatience(30 * MINUTE)
    refuse(patience, 'QUOTA', 10, 11, 12)
    expect(patience.lostOver(39 * MINUTE, 0)).toBeUndefined()
  })

  test('is not overcome by an answer to what was sent before the refusals', () => {
    const patience = overcome()
    refuse(patience, 'QUOTA', 10)
    note(patience, 10.5, accepted, undefined, 9)
    refuse(patience, 'QUOTA', 11, 12)
    expect(patience.lostOver(16 * MINUTE, 0)).toMatchObject({ kind: 'quotaSpent' })
  })

  test('is told at once where patience is shorter than five minutes', () => {
    const patience = overcome(2 * MINUTE)
    refuse(patience, 'QUOTA', 10, 11, 12)
    expect(patience.lostOver(12 * MINUTE, 0)).toMatchObject({ kind: 'quotaSpent', afterMs: 2 * MINUTE })
  })
})
