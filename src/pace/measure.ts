// Measures what a limit allows, when it opens again: calls accepted over the time in which it was used up.
import {
  DIP,
  DOUBLING_MS,
  BURST_CALLS,
  EVIDENCE,
  HEAVY_MS,
  MAX_PLATEAU_CALLS,
  MIN_CALLS,
  MIN_CUT,
  PLATEAU_MEMORIES,
  PLATEAU_WAITS,
  RETURN,
  STREAK_CALLS,
} from './constants.ts'
import { countCalls, firstAt, latestFrom, rateBetween } from './log.ts'
import type { SentCall } from './observation.ts'
import { isStated } from './rules.ts'
import type { Plateau } from './search.ts'
import { findAtOpening } from './share.ts'
import { ceilingOf, type Closed, type PaceState, slotMs } from './state.ts'

/** Opens the gate as the probe was accepted, and sets the pace a little below the limit. */
export function open(state: PaceState, closed: Closed, { number, at }: SentCall): PaceState {
  if (isStated(state.rules)) {
    const eased = { ...state.eased, until: number + state.eased.calls }
    return { ...state, closed: null, eased, nextAt: at + eased.slots * slotMs(state) }
  }
  const { log, lastOpenedAt } = state
  const since = state.openedAt ?? firstAt(log) ?? at
  const closedMs = at - closed.since
  // A ramp is fast: what is closed for as many calls as a long plateau has is used up, too.
  const isLong = closedMs > Math.min(HEAVY_MS, MAX_PLATEAU_CALLS * slotMs(state))
  const isUsedUp = closed.refusedProbes >= 2 || isLong
  const calls = countCalls(log, lastOpenedAt ?? at, closed.since)
  // A limit that has fallen refuses a call every few: what it accepted before says nothing of it.
  const isFallen =
    calls <= EVIDENCE && countCalls(log, state.streakFrom ?? at, closed.since) > STREAK_CALLS / 2
  const isNewStreak = state.streakFrom === null || calls > STREAK_CALLS || isFallen
  // A limit opens once in its memory: it is at most the time between two openings.
  const memory = { memoryMs: at - since, memoryCalls: countCalls(log, since, closed.lastRefusalAt), closedMs }
  const measured: PaceState = {
    ...state,
    ...(isUsedUp && { ...memory, openedAt: at }),
    closed: null,
    streakFrom: isNewStreak ? closed.since : state.streakFrom,
    lastOpenedAt: at,
  }
  const isNamed = closed.isNamed && closed.refusedProbes === 0
  // After the ramp the gaps between probes are long. The limit opened between the last two: earlier rather
  // than late, since a pace that is too low is found out much later than one that is too high.
  const openedAt = state.search?.kind === 'ramp' && !isNamed ? (2 * closed.lastRefusalAt + at) / 3 : at
  const limit = isUsedUp
    ? // Where others had used up the limit before the first call, no call of ours says what it allows.
      rateBetween(log, since, openedAt) || MIN_CUT * state.pace
    : shortRate(measured, closed.lastRefusalAt + slotMs(state) / 2)
  const opened = { ...measured, limit }
  const search = plateauAfter(state, opened, closed, { at, calls, isUsedUp, isNamed })
  const pace = Math.min(ceilingOf(state), (1 - DIP) * search.limit)
  // What was closed for a slot has refilled by the probe's own call.
  return findAtOpening(state, { ...opened, search, pace, nextAt: at + 1000 / pace })
}

interface Opening {
  readonly at: number
  /** Counts calls accepted since the last opening. */
  readonly calls: number
  readonly isUsedUp: boolean
  /** Says that it came after the wait that the endpoint named. */
  readonly isNamed: boolean
}

/** Chooses the pace to return to, and for how many calls it is kept. */
function plateauAfter(
  before: PaceState,
  { limit, memoryMs }: PaceState & { readonly limit: number },
  closed: Closed,
  { at, calls, isUsedUp, isNamed }: Opening,
): Plateau {
  const { search, pace } = before
  const isPlateau = search?.kind === 'plateau'
  const quietCalls = isPlateau ? search.calls : 0
  const closedMs = at - closed.since
  // A block is as long each time, and no part of the limit: it lies between what was accepted and what was
  // refused. A short time closed, after more than a few calls, or a named one may have been too long.
  const isAsLong = Math.abs(closedMs / before.closedMs - 1) < 0.1
  const isBlock = isPlateau && isUsedUp && isAsLong && !isNamed
  const isShort = isPlateau && !isUsedUp && calls > EVIDENCE
  const returned = isNamed || isShort ? RETURN * usedPace(before, closed, at) : 0
  const middle = Math.max(limit, isBlock ? (search.limit + pace) / 2 : returned)
  const callsIn = (ms: number): number => (ms * limit) / 1000
  const length = Math.max(
    MIN_CALLS,
    // A 429 must have time to arrive before it grows.
    callsIn(DOUBLING_MS),
    // A window refuses at its end what was too fast before.
    Math.min(MAX_PLATEAU_CALLS, Math.max(callsIn(PLATEAU_MEMORIES * memoryMs), quietCalls)),
    // The longer the wait, the later it is risked again.
    isNamed || isBlock ? Math.max(quietCalls, (PLATEAU_WAITS * closedMs * middle) / 1000) : 0,
  )
  return { kind: 'plateau', calls: 0, length, limit: middle }
}

/** Gives the pace that was used up to the 429: the ramp is ahead of its calls, and met a full burst. */
function usedPace({ log, pace, lastOpenedAt, search }: PaceState, closed: Closed, at: number): number {
  if (search?.kind === 'plateau') return pace
  const since = lastOpenedAt ?? firstAt(log) ?? at
  const calls = countCalls(log, since, at) - BURST_CALLS
  return (calls * 1000) / Math.max(1, closed.lastRefusalAt - since)
}

/**
 * Measures calls a second up to `end` where the limit closed for little more than a call: over its memory,
 * else since it was used up, else over the latest calls.
 */
function shortRate({ log, pace, limit, memoryMs, streakFrom }: PaceState, end: number): number {
  // A measurement over a short time, or over one with little to send, may mislead.
  const minLimit = MIN_CUT * (limit ?? pace)
  const calls = countCalls(log, streakFrom ?? end, end)
  // At its end the limit had refilled to less than one more call, half a call on average.
  if (memoryMs === 0 && streakFrom !== null && calls >= EVIDENCE)
    return Math.max(minLimit, ((calls + 0.5) * 1000) / Math.max(1, end - streakFrom))
  const from = memoryMs > 0 ? end - memoryMs : (latestFrom(log, STREAK_CALLS) ?? end)
  const rate = rateBetween(log, Math.max(from, firstAt(log) ?? end), end)
  // While the pace grows, the rate of the latest calls is more exact.
  const latest = rateBetween(log, latestFrom(log, MIN_CALLS) ?? end, end)
  return Math.max(minLimit, rate, (1 - 2 * DIP) * latest)
}
