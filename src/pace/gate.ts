// The gate of an organization: asks the policy when, and lets waiting calls through a lane one by one.
import type { Clock } from '../domain/clock.ts'
import type { Lane } from './lane.ts'
import type { Limiter, Permit } from './limiter.ts'
import { createPermits } from './permits.ts'
import type { Policy } from './policy.ts'

export function createGate(policy: Policy, lane: Lane, concurrency: number, clock: Clock): Limiter {
  const permits = createPermits(policy, clock)
  let waiting = 0
  let tokenOut = false
  /** Starts the call that has come through the lane and waits for its moment. */
  let atLine: (() => void) | undefined
  let cancelTimer: (() => void) | undefined
  let closed = false
  const cancels = new Set<() => void>()

  /**
   * Starts who stands at the line when it is due; brings the next one there a lane's lead before. A lane takes its
   * time to start a job, and that time must not be added to every gap.
   */
  const pump = (): void => {
    cancelTimer?.()
    cancelTimer = undefined
    if (closed) return
    const isCalled = atLine === undefined
    if (isCalled && (waiting === 0 || tokenOut || permits.inFlight() >= concurrency)) return
    const now = clock.now()
    const dueAt = policy.nextSendAt(now, permits.inFlight())
    const wait = dueAt - now - (isCalled ? lane.leadMs : 0)
    // It waits for an answer: that will pump again.
    if (wait === Infinity) return
    if (wait > 0) {
      cancelTimer = clock.after(wait, pump)
    } else if (atLine !== undefined) {
      const start = atLine
      atLine = undefined
      start()
    } else {
      tokenOut = true
      lane.release()
    }
  }

  const grant = (finish: () => void): Permit =>
    permits.grant(() => {
      finish()
      pump()
    })

  return {
    acquire: async (signal) =>
      new Promise((resolve) => {
        if (signal.aborted || closed) {
          resolve(undefined)
          return
        }
        let cancelled = false
        let finishJob: (() => void) | undefined
        /** Leaves the lane, and the line if this call stands there: the next one gets its turn. */
        const leave = (): void => {
          if (atLine === start) atLine = undefined
          finishJob?.()
          pump()
        }
        const cancel = (): void => {
          cancelled = true
          cancels.delete(cancel)
          waiting -= 1
          resolve(undefined)
          leave()
        }
        const start = (): void => {
          signal.removeEventListener('abort', cancel)
          cancels.delete(cancel)
          waiting -= 1
          resolve(grant(() => finishJob?.()))
          pump()
        }
        signal.addEventListener('abort', cancel, { once: true })
        cancels.add(cancel)
        waiting += 1
        lane.submit(
          async () =>
            new Promise((finish) => {
              finishJob = finish
              tokenOut = false
              if (cancelled || closed) {
                leave()
                return
              }
              atLine = start
              pump()
            }),
        )
        pump()
      }),
    onChange: permits.onChange,
    state: permits.state,
    close: () => {
      closed = true
      cancelTimer?.()
      cancelTimer = undefined
      for (const cancel of cancels) cancel()
      lane.close()
    },
  }
}
