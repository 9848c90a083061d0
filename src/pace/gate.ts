// The gate of an organization: asks the policy when, and lets waiting calls through a lane one by one.
import type { Clock } from '../domain/clock.ts'
import type { Lane } from './lane.ts'
import type { Limiter, Permit } from './limiter.ts'
import type { Observation } from './observation.ts'
import type { PaceChange, Policy } from './policy.ts'

/** Processes look around for others every second (presence): who comes later waits until all have seen it. */
const NOTICE_MS = 1100

export function createGate(policy: Policy, lane: Lane, concurrency: number, clock: Clock): Limiter {
  const listeners = new Set<(change: PaceChange) => void>()
  let waiting = 0
  let inFlight = 0
  let tokenOut = false
  /** Starts the call that has come through the lane and waits for its moment. */
  let atLine: (() => void) | undefined
  let cancelTimer: (() => void) | undefined
  let idleSince: number | undefined
  let excusedMs = 0
  let closed = false
  let hasSent = false
  /** Nothing before this: the others, who have the whole of the limit, must first notice us. */
  let noticedAt = -Infinity
  const cancels = new Set<() => void>()

  const tell = (change: PaceChange): void => {
    for (const listener of listeners) listener(change)
  }

  /**
   * Starts who stands at the line when it is due; brings the next one there a lane's lead before. A lane takes its
   * time to start a job, and that time must not be added to every gap.
   */
  const pump = (): void => {
    cancelTimer?.()
    cancelTimer = undefined
    if (closed) return
    const isCalled = atLine === undefined
    if (isCalled && (waiting === 0 || tokenOut || inFlight >= concurrency)) return
    const now = clock.now()
    const dueAt = Math.max(policy.nextSendAt(now, inFlight), noticedAt)
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

  /** How much of the time since anything was under way only the pace or a named wait kept everything still. */
  const excusable = (now: number): number => {
    if (idleSince === undefined) return 0
    const { closure } = policy.state()
    const ownBackoff =
      closure === undefined || closure.named
        ? 0
        : Math.max(0, Math.min(now, closure.until) - Math.max(idleSince, closure.from))
    return now - idleSince - ownBackoff
  }

  const grant = (finish: () => void): Permit => {
    const now = clock.now()
    excusedMs += excusable(now)
    idleSince = undefined
    inFlight += 1
    hasSent = true
    const sending = policy.onSend(now, inFlight)
    let settled = false
    return {
      grantedAt: now,
      settle: (observation: Observation) => {
        if (settled) return
        settled = true
        const end = clock.now()
        inFlight -= 1
        const change = policy.onAnswer(end, sending, observation)
        if (inFlight === 0) idleSince = end
        if (change !== undefined) tell(change)
        finish()
        pump()
      },
    }
  }

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
    enter: () => grant(() => undefined),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    state: () => ({ ...policy.state(), inFlight, excusedMs: excusedMs + excusable(clock.now()) }),
    splitAmong: (processes) => {
      const change = policy.splitAmong(processes)
      if (change !== undefined) tell(change)
      if (!hasSent && processes > 1) noticedAt = Math.max(noticedAt, clock.now() + NOTICE_MS)
      pump()
    },
    close: () => {
      closed = true
      cancelTimer?.()
      cancelTimer = undefined
      for (const cancel of cancels) cancel()
      lane.close()
    },
  }
}
