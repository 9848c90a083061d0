// Asks the limiter for leave to send, one call after the other.
import type { Clock } from '../domain/clock.ts'
import type { Limiter, Permit } from '../pace/limiter.ts'
import { requestLeave } from '../pace/request-leave.ts'

export interface Leaves {
  /** Asks as long as there is something to send; one leave is asked for at a time. */
  ask(): void
  giveUp(): void
  /** Whether a leave is asked for and has not come. */
  isAsking(): boolean
}

/**
 * `wants` is asked before each; `onLeave` gets the leave and when it was asked for, milliseconds of the clock, or undefined
 * once the limiter is closed. A leave may come at once, in a loop and not one within the other.
 */
export function createLeaves(
  limiter: Limiter,
  clock: Clock,
  wants: () => boolean,
  onLeave: (permit: Permit | undefined, askedAt: number) => void,
): Leaves {
  let [isLooping, isAsking, askedAt] = [false, false, 0]
  let cancel: (() => void) | undefined

  const take = (permit: Permit | undefined): void => {
    cancel = undefined
    isAsking = false
    onLeave(permit, askedAt)
    ask()
  }
  const ask = (): void => {
    if (isLooping) return
    isLooping = true
    while (!isAsking && wants()) {
      askedAt = clock.now()
      isAsking = true
      const giveUp = requestLeave(limiter, take)
      // It may have come already.
      if (isAsking) cancel = giveUp
    }
    isLooping = false
  }
  return {
    ask,
    giveUp: () => {
      cancel?.()
      cancel = undefined
      isAsking = false
    },
    isAsking: () => isAsking,
  }
}
