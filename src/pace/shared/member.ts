// A process among those that share a limit: asks the conductor for leave, and reports to it what came.
import type { Clock } from '../../domain/clock.ts'
import type { Limiter, Permit } from '../limiter.ts'
import type { Observation } from '../observation.ts'
import type { Closure, PaceChange } from '../policy.ts'
import type { Grant, Rules, Status, ToConductor } from './protocol.ts'
import { SILENT_MS, VALID_MS } from './times.ts'
import { createWaiters } from './waiters.ts'

export interface Member {
  readonly limiter: Limiter
  /** From now on this is the conductor; it is told at once how things are here. */
  follow(term: string, tell: (message: ToConductor) => void): void
  receive(message: Grant | Status): void
  /** Shows that it lives; to be called every TICK_MS. */
  beat(): void
  /** What the conductor of its term told last; undefined before that. */
  status(): Status | undefined
  leave(): void
}

export interface MemberOptions {
  readonly id: string
  readonly clock: Pick<Clock, 'now'>
  readonly rules: Rules
}

export function createMember({ id, clock, rules }: MemberOptions): Member {
  const listeners = new Set<(change: PaceChange) => void>()
  const waiters = createWaiters<Permit>()
  const held = new Set<string>()
  /** When our latest messages were sent, by their number. */
  const sentAt = new Map<number, number>()
  let tell: ((message: ToConductor) => void) | undefined
  let term = ''
  let [number, seen] = [0, 0]
  let status: Status | undefined
  let closure: Closure | undefined
  let closed = false

  const about = (): Omit<Extract<ToConductor, { kind: 'want' }>, 'kind'> => {
    const now = clock.now()
    number += 1
    sentAt.set(number, now)
    for (const [old, at] of sentAt) {
      if (now - at <= SILENT_MS) break
      sentAt.delete(old)
    }
    return { from: id, term, number, waiting: waiters.size, seen }
  }
  const want = (): void => tell?.({ kind: 'want', ...about() })
  const beat = (): void => {
    if (!closed) tell?.({ kind: 'beat', ...about(), held: [...held], rules })
  }

  const describe = (): Omit<PaceChange, 'cause'> => ({
    pace: status?.pace ?? 0,
    closure: closure !== undefined && closure.until > clock.now() ? closure : undefined,
    processes: status?.processes,
  })
  const announce = (cause: string): void => {
    const limit = status?.limit
    const told = limit === undefined ? limit : { ...limit, together: true as const }
    for (const listener of listeners) listener({ ...describe(), cause, limit: told })
  }

  const take = (permit: string): Permit => {
    const now = clock.now()
    held.add(permit)
    return {
      grantedAt: now,
      settle: (observation: Observation) => {
        if (!held.delete(permit)) return
        report(permit, observation)
      },
    }
  }
  const report = (permit: string, observation: Observation): void =>
    tell?.({ kind: 'report', ...about(), permit, observation: complete(observation) })

  const onGrant = (grant: Grant): void => {
    seen = Math.max(seen, grant.sequence)
    const askedAt = sentAt.get(grant.answers) ?? -Infinity
    const isValid = clock.now() - askedAt <= VALID_MS
    if (isValid && waiters.serve(() => take(grant.permit))) return
    // Too late, or for a call that waits no longer: given back unused.
    report(grant.permit, { kind: 'nothing' })
  }

  const onStatus = (next: Status): void => {
    const now = clock.now()
    status = next
    closure =
      next.closure === undefined
        ? undefined
        : { from: now - next.closure.sinceMs, until: now + next.closure.forMs }
    if (next.cause !== undefined) announce(next.cause)
  }

  const limiter: Limiter = {
    acquire: async (signal) => waiters.wait(signal, want),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    state: () => ({ ...describe(), inFlight: held.size }),
    close: () => {
      closed = true
      waiters.dismiss()
    },
  }

  return {
    limiter,
    follow: (next, sender) => {
      term = next
      tell = sender
      seen = 0
      sentAt.clear()
      beat()
    },
    receive: (message) => {
      if (message.term !== term) return
      if (message.kind === 'status') onStatus(message)
      else onGrant(message)
    },
    beat,
    status: () => status,
    leave: () => tell?.({ kind: 'leave', from: id }),
  }
}

const NO_HINTS = { namedMs: undefined, resetMs: undefined, policyPerSecond: undefined, concurrent: undefined }

function complete(observation: Observation): Extract<ToConductor, { kind: 'report' }>['observation'] {
  const { kind } = observation
  if (kind === 'nothing') return observation
  if (kind === 'failed') return { ...observation, namedMs: observation.namedMs }
  const { hints = NO_HINTS } = observation
  return kind === 'accepted' ? { kind, lateMs: observation.lateMs, hints } : { ...observation, hints }
}
