// When patience ends: a table of signs and times.
import { describe, expect, test } from 'vitest'
import type { Hints } from '../../src/pace/hints.ts'
import { createPatience, type Patience, type Sign } from '../../src/runner/stops.ts'

const MINUTE = 60_000
const refused = { kind: 'rateLimited', namedMs: undefined } as const
const failed = { kind: 'failed', reached: true, cause: 'HTTP 503' } as const
const accepted = { kind: 'accepted' } as const

/** Notes one sign; `at` in minutes. */
function note(patience: Patience, at: number, observation: Sign['observation'], words = 'words'): void {
  patience.note({ observation, words, sentAt: at * MINUTE, now: at * MINUTE })
}

describe('patience', () => {
  test('ends after refusals alone for so long, wherever in the wait that is', () => {
    const patience = createPatience(30 * MINUTE)
    expect(patience.remainingMs(0)).toBeUndefined()
    note(patience, 1, refused, 'RATE')
    expect(patience.remainingMs(11 * MINUTE)).toBe(20 * MINUTE)
    expect(patience.lostOver(30.9 * MINUTE)).toBeUndefined()
    expect(patience.lostOver(31 * MINUTE)).toMatchObject({
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
    expect(patience.lostOver(69 * MINUTE)).toBeUndefined()
    expect(patience.lostOver(70 * MINUTE)).toMatchObject({ kind: 'gaveUp', over: 'failures' })
  })

  const after = (minutes: number) => ({ ...refused, namedMs: minutes * MINUTE })

  test('ends at once when the wait that is named is longer than what is left', () => {
    const patience = createPatience(30 * MINUTE)
    note(patience, 0, after(30))
    expect(patience.lostOver(0)).toBeUndefined()
    note(patience, 20, after(11), '429 QUOTA')
    expect(patience.lostOver(20 * MINUTE)).toEqual({
      kind: 'gaveUp',
      over: 'refusals',
      last: '429 QUOTA',
      afterMs: 30 * MINUTE,
      namedMs: 11 * MINUTE,
    })
  })

  test.each<[string, Sign['observation'], boolean]>([
    ['Retry-After of a failure', { ...failed, namedMs: 31 * MINUTE }, true],
    ['a reset', { ...refused, hints: resetIn(31 * MINUTE) }, true],
    ['a shorter Retry-After beside a reset', { ...after(1), hints: resetIn(31 * MINUTE) }, false],
    ['nothing', refused, false],
  ])('where the wait is named by %s', (_, observation, isLost) => {
    const patience = createPatience(30 * MINUTE)
    note(patience, 0, observation)
    expect(patience.lostOver(0) !== undefined).toBe(isLost)
  })
})

function resetIn(resetMs: number): Hints {
  return { namedMs: undefined, resetMs, policyPerSecond: undefined, concurrent: undefined }
}
