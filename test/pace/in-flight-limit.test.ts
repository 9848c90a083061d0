// Telling a limit on calls at once from a limit on calls in a time.
import { describe, expect, test } from 'vitest'
import { createInFlightLimit } from '../../src/pace/in-flight-limit.ts'

/** Calls up to `most` in flight, then the refusal of one more, so many times. */
function meet(limit: ReturnType<typeof createInFlightLimit>, most: number, times: number): string[] {
  return Array.from({ length: times }, () => {
    for (let inFlight = 1; inFlight <= most + 1; inFlight += 1) limit.onSend(inFlight)
    return limit.onRefusal(most + 1, true)
  })
}

describe('a limit on calls at once', () => {
  test('is found by three refusals in a row at the same count', () => {
    const limit = createInFlightLimit()
    expect(limit.isSuspected).toBe(false)
    expect(meet(limit, 6, 2)).toEqual(['unexplained', 'unexplained'])
    expect(limit.isSuspected).toBe(true)
    expect(meet(limit, 6, 1)).toEqual(['found'])
    expect(limit.cap).toBe(6)
  })

  test('is not found where the counts differ', () => {
    const limit = createInFlightLimit()
    for (const most of [3, 9, 5, 12, 2]) meet(limit, most, 1)
    expect(limit.cap).toBe(Infinity)
  })

  test.each([
    ['as many were admitted before', [9, 6], 6],
    [
      'many calls were let through at that count',
      Array.from({ length: 20 }, (_, call) => (call % 2 === 0 ? 3 : 4)),
      4,
    ],
  ])('is not found where %s', (_, sent, refused) => {
    const limit = createInFlightLimit()
    for (let time = 0; time < 5; time += 1) {
      for (const inFlight of sent) limit.onSend(inFlight)
      expect(limit.onRefusal(refused, true)).toBe('unexplained')
      expect(limit.isSuspected).toBe(false)
    }
    expect(limit.cap).toBe(Infinity)
  })

  test('is not found where a probe is refused with fewer in flight than were let through', () => {
    const limit = createInFlightLimit()
    for (let time = 0; time < 5; time += 1) {
      expect(meet(limit, 6, 1)).toEqual(['unexplained'])
      limit.onRefusal(6, false)
      expect(limit.isSuspected).toBe(false)
    }
    expect(limit.cap).toBe(Infinity)
  })

  test('is found although probes are refused with as many in flight as were refused before', () => {
    const limit = createInFlightLimit()
    meet(limit, 6, 1)
    limit.onRefusal(7, false)
    meet(limit, 6, 1)
    limit.onRefusal(7, false)
    expect(meet(limit, 6, 1)).toEqual(['found'])
  })

  test('explains the refusal of one more, which is tried now and then', () => {
    const limit = createInFlightLimit()
    meet(limit, 6, 3)
    for (let call = 0; call < 30; call += 1) limit.onSend(6)
    expect(limit.cap).toBe(7)
    limit.onSend(7)
    expect(limit.onRefusal(7, true)).toBe('explained')
    expect(limit.cap).toBe(6)
    for (let call = 0; call < 59; call += 1) limit.onSend(6)
    expect(limit.cap).toBe(6)
    limit.onSend(6)
    expect(limit.cap).toBe(7)
  })

  test('is given up when more calls at once are admitted after all', () => {
    const limit = createInFlightLimit()
    meet(limit, 6, 3)
    for (let call = 0; call < 30; call += 1) limit.onSend(6)
    for (let call = 0; call < 15; call += 1) limit.onSend(7)
    expect(limit.cap).toBe(Infinity)
    expect(meet(limit, 6, 3)).not.toContain('found')
  })

  test('is not thought of soon where a call was refused while it was alone', () => {
    const limit = createInFlightLimit()
    limit.onRefusal(1, false)
    expect(meet(limit, 6, 11)).not.toContain('found')
    expect(meet(limit, 6, 1)).toEqual(['found'])
  })

  test('is given up when fewer calls at once are refused', () => {
    const limit = createInFlightLimit()
    meet(limit, 6, 3)
    limit.onRefusal(4, true)
    limit.onRefusal(4, true)
    expect(limit.cap).toBe(Infinity)
  })
})
