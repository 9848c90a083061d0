// The gate where nothing is paced: whoever comes goes, as long as there is room and no pause.
import type { Clock } from '../domain/clock.ts'
import type { Limiter } from './limiter.ts'
import { createPermits } from './permits.ts'
import type { Policy } from './policy.ts'
import { QueueOfStarts, type Start } from './queue-of-starts.ts'

/**
 * The policy still closes it, after refusals and failures, and `concurrency` still bounds what is in flight. What waits
 * waits in its order; an answer lets the next one start, without a queue's or a promise's detour.
 */
export function createOpenGate(policy: Policy, concurrency: number, clock: Clock): Limiter {
  const permits = createPermits(policy, clock)
  const waiting = new QueueOfStarts()
  let cancelTimer: (() => void) | undefined
  let isClosed = false

  const pump = (): void => {
    cancelTimer?.()
    cancelTimer = undefined
    for (let start = waiting.peek(); start !== undefined; start = waiting.peek()) {
      if (permits.inFlight >= concurrency) return
      const now = clock.now()
      const wait = policy.nextSendAt(now, permits.inFlight) - now
      if (wait > 0) {
        // One that never ends waits for an answer: that will pump again.
        if (wait < Infinity) cancelTimer = clock.after(wait, pump)
        return
      }
      waiting.drop()
      start(permits.grant(pump))
    }
  }
  const forget = (): void => {
    for (const start of waiting.clear()) start(undefined)
  }
  const request = (start: Start): (() => void) => {
    waiting.push(start)
    if (isClosed) forget()
    else pump()
    return () => {
      if (waiting.remove(start)) pump()
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
    enter: () => permits.grant(pump),
    onChange: permits.onChange,
    state: permits.state,
    splitAmong: (processes) => {
      const change = policy.splitAmong(processes)
      if (change !== undefined) permits.tell(change)
      pump()
    },
    close: () => {
      isClosed = true
      cancelTimer?.()
      cancelTimer = undefined
      forget()
    },
  }
}
