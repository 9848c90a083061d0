// What every gate of an organization keeps: who is in flight, what the policy is told, and who listens.
import type { Clock } from '../domain/clock.ts'
import type { Limiter, Permit } from './limiter.ts'
import type { Observation } from './observation.ts'
import type { PaceChange, Policy } from './policy.ts'

export interface Permits extends Pick<Limiter, 'onChange' | 'state'> {
  inFlight(): number
  /** Whether any was ever granted. */
  hasSent(): boolean
  /** Leave for one call, now; `finished` once it is settled and the policy knows. */
  grant(finished: () => void): Permit
  tell(change: PaceChange): void
}

export function createPermits(policy: Policy, clock: Clock): Permits {
  const listeners = new Set<(change: PaceChange) => void>()
  let inFlight = 0
  let hasSent = false
  let idleSince: number | undefined
  let excusedMs = 0

  const tell = (change: PaceChange): void => {
    for (const listener of listeners) listener(change)
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

  return {
    inFlight: () => inFlight,
    hasSent: () => hasSent,
    grant: (finished) => {
      const now = clock.now()
      if (idleSince !== undefined) excusedMs += excusable(now)
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
          finished()
        },
      }
    },
    tell,
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    state: () => ({ ...policy.state(), inFlight, excusedMs: excusedMs + excusable(clock.now()) }),
  }
}
