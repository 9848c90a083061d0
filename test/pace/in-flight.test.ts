// A limit on calls at once that was found, or nearly found, by mistake. Those that are there are found in scenarios.test.ts.
import { describe, expect, test } from 'vitest'
import {
  capOf,
  createInFlightLimit,
  type InFlightLimit,
  isSuspected,
  noteRefusal,
  noteSend,
} from '../../src/pace/in-flight.ts'

/** Calls up to `most` in flight, then the refusal of one more, so many times. */
function meet(limit: InFlightLimit, most: number, times: number): string[] {
  return Array.from({ length: times }, () => {
    for (let inFlight = 1; inFlight <= most + 1; inFlight += 1) noteSend(limit, inFlight)
    return noteRefusal(limit, most + 1, true)
  })
}

describe('a limit on calls at once', () => {
  test('is not found where a probe is refused with fewer in flight than were accepted', () => {
    const limit = createInFlightLimit()
    for (let time = 0; time < 5; time += 1) {
      expect(meet(limit, 6, 1)).toEqual(['unexplained'])
      noteRefusal(limit, 6, false)
      expect(isSuspected(limit)).toBe(false)
    }
    expect(capOf(limit)).toBe(Infinity)
  })

  test('is given up when more calls at once are accepted after all', () => {
    const limit = createInFlightLimit()
    meet(limit, 6, 3)
    for (let call = 0; call < 30; call += 1) noteSend(limit, 6)
    for (let call = 0; call < 15; call += 1) noteSend(limit, 7)
    expect(capOf(limit)).toBe(Infinity)
    expect(meet(limit, 6, 3)).not.toContain('found')
  })

  test('needs more evidence once a call was refused while it was alone', () => {
    const limit = createInFlightLimit()
    noteRefusal(limit, 1, false)
    expect(meet(limit, 6, 11)).not.toContain('found')
    expect(meet(limit, 6, 1)).toEqual(['found'])
  })
})
