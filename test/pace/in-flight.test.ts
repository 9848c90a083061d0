// Protects against a concurrency limit that is found by mistake. scenarios.test.ts covers limits that exist.
import { describe, expect, test } from 'vitest'
import {
  afterRefusal,
  afterSend,
  capOf,
  createInFlightLimit,
  type InFlightLimit,
} from '../../src/pace/in-flight.ts'

const send = (limit: InFlightLimit, inFlight: number, times = 1): InFlightLimit =>
  times === 0 ? limit : send(afterSend(limit, inFlight), inFlight, times - 1)

/** Sends up to `max` calls, and has the next one refused, that many times. */
function reachLimit(before: InFlightLimit, max: number, times: number): InFlightLimit {
  let limit = before
  for (let time = 0; time < times; time += 1) {
    for (let inFlight = 1; inFlight <= max + 1; inFlight += 1) limit = send(limit, inFlight)
    limit = afterRefusal(limit, max + 1, true).limit
  }
  return limit
}

describe('a concurrency limit', () => {
  const found = reachLimit(createInFlightLimit(), 6, 3)

  test('is found if calls are refused three times at the same count', () => {
    expect(capOf(reachLimit(createInFlightLimit(), 6, 2))).toBe(Infinity)
    expect(capOf(found)).toBe(6)
  })

  test('is not found if a probe is refused with fewer calls in flight than were accepted', () => {
    let limit = createInFlightLimit()
    for (let time = 0; time < 5; time += 1) limit = afterRefusal(reachLimit(limit, 6, 1), 6, false).limit
    expect(capOf(limit)).toBe(Infinity)
  })

  test('is dropped when fewer calls in flight are refused', () => {
    expect(capOf(afterRefusal(found, 5, true).limit)).toBe(Infinity)
  })

  test('grows while more calls in flight are accepted', () => {
    const tried = send(found, 6, 30)
    expect(capOf(tried)).toBe(7)
    expect(capOf(send(tried, 7, 15))).toBe(8)
  })
})
