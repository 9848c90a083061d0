// Protects the timer that all deadlines share: each expires on time, whatever starts and ends in between.
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDeadlines, type Timed } from '../../src/endpoint/exchange.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** How late a deadline may be, in milliseconds, apart from the event loop. */
const LATE_MS = 5

test('no deadline is early or late', () => {
  const request = fc.record({
    startAfterMs: fc.integer({ min: 0, max: 300 }),
    /** Undefined: no answer arrives. */
    answeredAfterMs: fc.option(fc.integer({ min: 0, max: 400 }), { nil: undefined }),
  })
  fc.assert(
    fc.property(
      fc.array(request, { maxLength: 30 }),
      fc.constantFrom(1, 50, 100, 2000),
      (requests, timeoutMs) => {
        const begin = performance.now()
        const connections: { exchange: Timed | undefined }[] = []
        const deadlines = createDeadlines(timeoutMs, connections, () => performance.now())
        const expired: { readonly afterMs: number }[] = []
        let answered = 0
        for (const { startAfterMs, answeredAfterMs } of requests)
          setTimeout(() => {
            const sentAt = performance.now()
            const connection: (typeof connections)[number] = { exchange: undefined }
            connection.exchange = {
              sentAt,
              expire: () => {
                connection.exchange = undefined
                expired.push({ afterMs: performance.now() - sentAt })
              },
            }
            connections.push(connection)
            deadlines.watch(sentAt)
            if (answeredAfterMs !== undefined)
              setTimeout(() => {
                if (connection.exchange === undefined) return
                connection.exchange = undefined
                answered += 1
              }, answeredAfterMs)
          }, startAfterMs)
        vi.advanceTimersByTime(300 + timeoutMs + LATE_MS)
        deadlines.end()
        for (const { afterMs } of expired) {
          expect(afterMs).toBeGreaterThanOrEqual(timeoutMs)
          expect(afterMs).toBeLessThanOrEqual(timeoutMs + LATE_MS)
        }
        expect(expired.length + answered).toBe(requests.length)
        expect(connections.filter(({ exchange }) => exchange !== undefined).length).toBe(0)
        expect(performance.now() - begin).toBe(300 + timeoutMs + LATE_MS)
        vi.clearAllTimers()
      },
    ),
    { numRuns: 200 },
  )
})
