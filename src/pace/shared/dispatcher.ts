// When the next call is let go, and whose: at the time that the policy says, of the member that was served longest ago.
import type { Clock } from '../../domain/clock.ts'
import type { Policy } from '../policy.ts'
import type { Grant } from './protocol.ts'
import type { Regime } from './regime.ts'
import type { Roster, Seat } from './roster.ts'

/**
 * A busy machine wakes us late. So much of it is made good, at most half of the time between two calls: else each call is
 * late for good, and a tenth of a known rate is lost where two cores serve twenty.
 */
const MADE_GOOD_MS = 25
const MADE_GOOD = 0.5

export interface DispatcherPorts {
  readonly roster: Roster
  readonly regime: Regime
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly grant: (member: string, grant: Grant) => void
}

export interface Dispatcher {
  /** Lets go what may go now; to be called whenever that may have changed. */
  pump(): void
  close(): void
}

/** `term`: grants are numbered in it. */
export function createDispatcher(
  term: string,
  { roster, regime, clock, grant }: DispatcherPorts,
): Dispatcher {
  let granted = 0
  let cancelTimer: (() => void) | undefined
  /** What the timer was set for: since then a call has waited, and nothing but this machine was late. */
  let awaitedAt: number | undefined
  let closed = false

  const pump = (): void => {
    cancelTimer?.()
    cancelTimer = undefined
    for (;;) {
      const awaited = awaitedAt
      awaitedAt = undefined
      const seat = roster.next()
      const { policy, concurrency, notBefore } = regime
      if (closed || policy === undefined || seat === undefined) return
      const { inFlight } = roster
      if (inFlight >= concurrency) return
      const now = clock.now()
      const dueAt = Math.max(policy.nextSendAt(now, inFlight), notBefore)
      // It waits for an answer: that will pump again.
      if (dueAt === Infinity) return
      if (dueAt > now) {
        awaitedAt = dueAt
        cancelTimer = clock.after(dueAt - now, pump)
        return
      }
      const slotMs = 1000 / regime.pace
      const late = Math.min(now - (awaited ?? now), MADE_GOOD_MS, MADE_GOOD * slotMs)
      give(seat, policy, now - late)
    }
  }

  /** `at`: when it is taken to be sent. */
  const give = (seat: Seat, by: Policy, at: number): void => {
    granted += 1
    seat.sent += 1
    const id = `${term}:${granted}`
    const sending = by.onSend(at, roster.inFlight + 1)
    roster.serve(seat, { id, sequence: seat.sent, grantedAt: clock.now(), sending, policy: by })
    grant(seat.id, { kind: 'grant', term, permit: id, sequence: seat.sent, answers: seat.number })
  }

  return {
    pump,
    close: () => {
      closed = true
      cancelTimer?.()
    },
  }
}
