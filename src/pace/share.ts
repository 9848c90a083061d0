// A share of a limit that nobody states. Only 429s show where the limit is, so that the search uses all of
// it; what it used beyond the share is then paid back.
import { DIP, MAX_PLATEAU_CALLS, MIN_CALLS, PLATEAU_MEMORIES } from './constants.ts'
import { ceilingOf, paidAt, type PaceState } from './state.ts'

/** Gives the state after an opening, with the limit found if the measurement can be trusted. */
export function findAtOpening(before: PaceState, opened: PaceState): PaceState {
  const { rules, search, openedAt, found } = before
  const { limit, memoryMs, lastOpenedAt } = opened
  // What a ramp measures may be twice too much, and what few calls do, too.
  if (rules.share === 1 || limit === null || search?.kind !== 'plateau' || search.calls < MIN_CALLS)
    return opened
  // From one opening to the next the limit was used up. Within its memory a first burst counts, too.
  const isWhole = opened.openedAt !== openedAt && openedAt !== null && found === null
  const isAsBefore = isClose(limit, search.limit) && (lastOpenedAt ?? 0) - (openedAt ?? 0) >= memoryMs
  return isWhole || isAsBefore ? keepShare(opened, limit) : opened
}

/** Gives the state after a call of a plateau: a long one without a 429 has found the limit, too. */
export function findOnPlateau(state: PaceState, at: number): PaceState {
  const { rules, search, found, pace, lastOpenedAt, memoryMs } = state
  if (rules.share === 1 || search?.kind !== 'plateau' || found !== null) return state
  const isLong =
    search.calls >= 2 * MAX_PLATEAU_CALLS && at - (lastOpenedAt ?? 0) >= PLATEAU_MEMORIES * memoryMs
  return isLong && isClose(pace, search.limit) ? keepShare(state, search.limit) : state
}

const isClose = (a: number, b: number): boolean => Math.abs(a / b - 1) < 5 * DIP

/** Sends nothing for as long as the calls so far would have taken at the share. */
function keepShare(state: PaceState, found: number): PaceState {
  const pace = Math.min(state.pace, ceilingOf({ ...state, found }))
  return { ...state, found, pace, nextAt: Math.max(state.nextAt ?? 0, paidAt(state, pace)) }
}
