// After a refusal, calls go in rounds: how large each is, and when the next one begins.
import { describe, expect, test } from 'vitest'
import { createSlowStart, type SlowStart } from '../../src/pace/slow-start.ts'

/** Calls that may go now, each sent. */
function sendRound(slowStart: SlowStart, now: number): number[] {
  const handles: number[] = []
  while (handles.length < 1000 && slowStart.nextAt(now) <= now) handles.push(slowStart.onSend(now))
  return handles
}

/** Sizes of the rounds of one opening that lets `most` through; those of its last round that are too many are refused. */
function playOpening(slowStart: SlowStart, most: number): number[] {
  const sizes: number[] = []
  for (let left = most; left >= 0;) {
    const round = sendRound(slowStart, 0)
    sizes.push(round.length)
    for (const handle of round.slice(0, left)) slowStart.onEnd(handle)
    const refused = round.slice(left)
    left -= round.length
    for (const [place, handle] of refused.entries()) {
      slowStart.onRefusal(handle, 5)
      if (place === 0) slowStart.restart()
    }
    if (refused.length > 0) break
  }
  return sizes
}

describe('the rounds of an opening', () => {
  test.each<[string, number[], number, number[]]>([
    ['double while nothing is known', [], 100, [2, 4, 8, 16, 32, 64]],
    ['grow smaller towards what was let through last', [10], 10, [2, 4, 2, 1, 1, 1]],
    ['of a tiny limit are of one call', [2], 2, [1, 1, 1]],
    ['near a large number are an eighth of it', [80], 80, [2, 4, 8, 16, 25, 12, 10, 10]],
    ['grow again beyond it', [10], 30, [2, 4, 2, 1, 1, 1, 2, 4, 8, 16]],
    ['meet a smaller number with few too many', [100], 5, [2, 4]],
    ['heed the last opening alone', [100, 10], 10, [2, 4, 2, 1, 1, 1]],
    ['but not one in vain', [10, 0, 0], 10, [2, 4, 2, 1, 1, 1]],
  ])('%s', (_, before, most, expected) => {
    const slowStart = createSlowStart()
    for (const one of before) playOpening(slowStart, one)
    expect(playOpening(slowStart, most)).toEqual(expected)
  })

  test.each([1, 2, 5, 10, 30, 100, 600, 5000])(
    'of a limit that lets %d through waste few once it is known',
    (most) => {
      const slowStart = createSlowStart()
      const first = playOpening(slowStart, most).reduce((sum, size) => sum + size, 0)
      expect(first).toBeLessThanOrEqual(2 * most + 2)
      const second = playOpening(slowStart, most).reduce((sum, size) => sum + size, 0)
      expect(second - most).toBeLessThanOrEqual(Math.max(1, most / 8))
    },
  )
})

describe('the next round', () => {
  test('waits for an answer to each call of the last', () => {
    const slowStart = createSlowStart()
    const [one = 0, other = 0] = sendRound(slowStart, 100)
    slowStart.onEnd(one)
    expect(slowStart.nextAt(101)).toBeGreaterThan(101)
    slowStart.onEnd(other)
    expect(slowStart.nextAt(102)).toBe(102)
  })

  test('or until refusals would have come: answers take longer', () => {
    const slowStart = createSlowStart()
    slowStart.onRefusal(0, 5)
    sendRound(slowStart, 100)
    expect(slowStart.nextAt(101)).toBe(250)
    slowStart.onRefusal(0, 1000)
    expect(slowStart.nextAt(101)).toBe(100 + 4 * (0.8 * 5 + 0.2 * 1000))
  })

  test('does not wait for calls that left before the gate closed', () => {
    const slowStart = createSlowStart()
    const [one = 0, other = 0] = sendRound(slowStart, 100)
    slowStart.onRefusal(one, 5)
    slowStart.restart()
    expect(sendRound(slowStart, 1000)).toHaveLength(1)
    slowStart.onEnd(other)
    expect(slowStart.nextAt(1001)).toBeGreaterThan(1001)
  })
})
