// How long a member has been still only because of the pace, the share of the others, or a wait that the endpoint named.
import type { Closure } from '../policy.ts'

/** How the organization stands, as far as this member was told. */
export interface Standing {
  readonly closure: Closure | undefined
  readonly isProbing: boolean
}

export interface Excuse {
  /** From now on things stand so. */
  onStanding(now: number, standing: Standing): void
  /** Something of ours is under way from now on; or nothing is any more. */
  onBusy(now: number): void
  onIdle(now: number): void
  /** Milliseconds in all, up to now. */
  totalMs(now: number): number
}

/**
 * Not excused is the time in which the organization keeps away of itself (a pause that nobody named), or in which another
 * member's call asks whether a trouble is over: in one process that call would be our own.
 */
export function createExcuse(): Excuse {
  let standing: Standing = { closure: undefined, isProbing: false }
  let idleSince: number | undefined
  let countedTo = 0
  let excusedMs = 0

  const excusedBetween = (from: number, to: number): number => {
    const { closure, isProbing } = standing
    const overlap =
      closure === undefined ? 0 : Math.max(0, Math.min(to, closure.until) - Math.max(from, closure.from))
    if (isProbing) return closure?.named === true ? overlap : 0
    return to - from - (closure?.named === false ? overlap : 0)
  }
  const countUpTo = (now: number): void => {
    if (idleSince !== undefined) excusedMs += excusedBetween(Math.max(idleSince, countedTo), now)
    countedTo = now
  }

  return {
    onStanding: (now, next) => {
      countUpTo(now)
      standing = next
    },
    onBusy: (now) => {
      countUpTo(now)
      idleSince = undefined
    },
    onIdle: (now) => {
      countUpTo(now)
      idleSince = now
    },
    totalMs: (now) => {
      countUpTo(now)
      return excusedMs
    },
  }
}
