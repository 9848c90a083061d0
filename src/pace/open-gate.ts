// The gate where nothing is paced: whoever comes goes, as long as there is room and no pause.
import type { Clock } from '../domain/clock.ts'
import type { Limiter, Permit } from './limiter.ts'
import { createPermits } from './permits.ts'
import type { Policy } from './policy.ts'

type Start = (permit: Permit | undefined) => void

/**
 * The policy still closes it, after refusals and failures, and `concurrency` still bounds what is in flight. What waits
 * waits in its order; an answer lets the next one start, without a queue's or a promise's detour.
 */
export function createOpenGate(policy: Policy, concurrency: number, clock: Clock): Limiter {
  const permits = createPermits(policy, clock)
  /**
   * No Set: one that gains and loses one with every call leaves a chain of tables, and with it what every call held, to the
   * next full collection: a quarter of what a call costs.
   */
  const waiting: Start[] = []
  let cancelTimer: (() => void) | undefined
  let isClosed = false

  const pump = (): void => {
    cancelTimer?.()
    cancelTimer = undefined
    for (let [start] = waiting; start !== undefined; [start] = waiting) {
      if (permits.inFlight() >= concurrency) return
      const now = clock.now()
      const wait = policy.nextSendAt(now, permits.inFlight()) - now
      if (wait > 0) {
        // One that never ends waits for an answer: that will pump again.
        if (wait < Infinity) cancelTimer = clock.after(wait, pump)
        return
      }
      waiting.shift()
      start(permits.grant(pump))
    }
  }
  const forget = (): void => {
    for (const start of waiting.splice(0)) start(undefined)
  }
  const request = (start: Start): (() => void) => {
    waiting.push(start)
    if (isClosed) forget()
    else pump()
    return () => {
      const place = waiting.indexOf(start)
      if (place === -1) return
      waiting.splice(place, 1)
      pump()
    }
  }

  return {
    request,
    acquire: async (signal) =>
      new Promise((resolve) => {
        if (signal.aborted) {
          resolve(undefined)
          return
        }
        const leave = (): void => {
          cancel()
          resolve(undefined)
        }
        signal.addEventListener('abort', leave, { once: true })
        const cancel = request((permit) => {
          signal.removeEventListener('abort', leave)
          resolve(permit)
        })
      }),
    onChange: permits.onChange,
    state: permits.state,
    close: () => {
      isClosed = true
      cancelTimer?.()
      cancelTimer = undefined
      forget()
    },
  }
}
