// How long nothing but refusals or failures is put up with.
import type { Observation } from '../pace/observation.ts'

export interface Patience {
  /**
   * Notes an attempt's end; true when patience is over. `startedAt` and `now` in milliseconds of one clock;
   * `excusedMs` is the limiter's running total of waits that do not count.
   */
  isOver(observation: Observation, startedAt: number, now: number, excusedMs: number): boolean
}

export function createPatience(giveUpAfterMs: number): Patience {
  let since: { readonly at: number; readonly excusedMs: number } | undefined
  return {
    isOver: (observation, startedAt, now, excusedMs) => {
      if (observation.kind === 'nothing') return false
      if (observation.kind === 'accepted') {
        since = undefined
        return false
      }
      since ??= { at: startedAt, excusedMs }
      return now - since.at - (excusedMs - since.excusedMs) >= giveUpAfterMs
    },
  }
}
