// When the next call is due: a slot after the one before, at whatever pace goes, and never in a burst for time that was idle.
import type { Admissions } from './admissions.ts'
import { createCatchUp } from './catch-up.ts'

export interface DueTime {
  /** Undefined before the first call. */
  readonly nextAt: number | undefined
  /** `isKept`: the rate is a known one; `isEager`: what is still owed may be made good. Returns whether the call went when it was due. */
  onSend(now: number, slotMs: number, rules: { readonly isKept: boolean; readonly isEager: boolean }): boolean
  /** The limit has opened: half a slot later, and `owedMs` are to be made good. */
  open(at: number, slotMs: number, owedMs: number): void
  /** One slot later than now at least. */
  holdBack(now: number, slotMs: number): void
  /** What was sent since then counts as if it had been sent at this pace. */
  payBack(since: number, slotMs: number): void
}

export function createDueTime(admissions: Pick<Admissions, 'count'>): DueTime {
  const catchUp = createCatchUp()
  let nextAt: number | undefined
  return {
    get nextAt() {
      return nextAt
    },
    onSend: (now, slotMs, { isKept, isEager }) => {
      const dueAt = nextAt ?? now
      // Up to half a slot of lateness is made good, for a known rate none: idle time is never repaid in a burst.
      nextAt = Math.max(dueAt, isKept ? now : now - slotMs / 2) + slotMs
      if (isEager) nextAt -= catchUp.take(slotMs)
      return now - dueAt < slotMs
    },
    open: (at, slotMs, owedMs) => {
      nextAt = at + slotMs / 2
      catchUp.owe(owedMs)
    },
    holdBack: (now, slotMs) => {
      nextAt = Math.max(nextAt ?? now, now + slotMs)
    },
    payBack: (since, slotMs) => {
      nextAt = Math.max(nextAt ?? 0, since + admissions.count(since, Infinity) * slotMs)
    },
  }
}
