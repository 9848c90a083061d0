// What every gate of an organization keeps: who is in flight, what the policy is told, and who listens.
import type { Clock } from '../domain/clock.ts'
import type { Limiter, Permit } from './limiter.ts'
import type { Observation } from './observation.ts'
import type { PaceChange, Policy } from './policy.ts'

export interface Permits extends Pick<Limiter, 'onChange' | 'state'> {
  inFlight(): number
  /** Leave for one call, now; `finished` once it is settled and the policy knows. */
  grant(finished: () => void): Permit
  tell(change: PaceChange): void
}

export function createPermits(policy: Policy, clock: Clock): Permits {
  const listeners = new Set<(change: PaceChange) => void>()
  let inFlight = 0

  const tell = (change: PaceChange): void => {
    for (const listener of listeners) listener(change)
  }

  return {
    inFlight: () => inFlight,
    grant: (finished) => {
      const now = clock.now()
      inFlight += 1
      const sending = policy.onSend(now, inFlight)
      let settled = false
      return {
        grantedAt: now,
        settle: (observation: Observation) => {
          if (settled) return
          settled = true
          inFlight -= 1
          const change = policy.onAnswer(clock.now(), sending, observation)
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
    state: () => ({ ...policy.state(), inFlight }),
  }
}
