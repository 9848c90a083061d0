// Protects against a concurrency limit that is found by mistake. scenarios.test.ts covers limits that exist.
import { describe, expect, test } from 'vitest'
import {
  capOf,
  createInFlightLimit,
  type InFlightLimit,
  noteRefusal,
  noteSend,
} from '../../src/pace/in-flight.ts'

/** Sends up to `most` calls, and has the next one refused, that many times. */
function reachLimit(limit: InFlightLimit, most: number, times: number): string[] {
  return Array.from({ length: times }, () => {
    for (let inFlight = 1; inFlight <= most + 1; inFlight += 1) noteSend(limit, inFlight)
    return noteRefusal(limit, most + 1, true)
  })
}

describe('a concurrency limit', () => {
  test('is not found if a probe is refused with fewer calls in flight than were accepted', () => {
    const limit = createInFlightLimit()
    for (let time = 0; time < 5; time += 1) {
      expect(reachLimit(limit, 6, 1)).toEqual(['unexplained'])
      noteRefusal(limit, 6, false)
      expect(limit.agreeing).toBe(0)
    }
    expect(capOf(limit)).toBe(Infinity)
  })

  test('is dropped when fewer calls in flight are refused', () => {
    const limit = createInFlightLimit()
    reachLimit(limit, 6, 3)
    expect(capOf(limit)).toBe(6)
    noteRefusal(limit, 5, true)
    expect(capOf(limit)).toBe(Infinity)
  })

  test('is dropped when more calls in flight are accepted', () => {
    const limit = createInFlightLimit()
    reachLimit(limit, 6, 3)
    for (let call = 0; call < 30; call += 1) noteSend(limit, 6)
    for (let call = 0; call < 15; call += 1) noteSend(limit, 7)
    expect(capOf(limit)).toBe(Infinity)
  })
})
