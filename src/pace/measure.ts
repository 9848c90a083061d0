// Measures what a limit allows, when it opens again: calls accepted over the time in which it was used up.
import {
  CHEAP_MEMORY_MS,
  MIN_CUT,
  EVIDENCE,
  GREW,
  HEAVY_MS,
  MIN_CALLS,
  RETURN,
  STREAK_CALLS,
} from './constants.ts'
import { countCalls, firstAt, latestFrom, type Log, rateBetween } from './log.ts'
import type { PaceRules } from './rules.ts'
import { belowLimit, createPlateau } from './search.ts'
import { ceilingOf, type Closed, keepsRate, type Paced, slotMs } from './state.ts'

/** Closes the gate for a 429 to the call sent at `at`; it `isBlind` if neither limit nor wait is named. */
export function close({ search }: Paced, now: number, at: number, isBlind: boolean): Closed {
  // The ramp overshoots by far, and a window has to turn: a probe one slot later would be refused, too.
  const refusedProbes = isBlind && search?.kind === 'ramp' ? 1 : 0
  return { since: now, lastRefusalAt: at, refusedProbes, isNamed: false, probe: null }
}

/** Opens the gate as the probe sent at `at` was accepted, and sets the pace a little below the limit. */
export function open(paced: Paced, closed: Closed, at: number, rules: PaceRules): Paced {
  if (keepsRate(paced, rules)) return { ...paced, closed: null, nextAt: at + slotMs(paced) }
  const opening = openingOf(paced, closed, at)
  const { isHeavy, memoryMs, isNamed, closedForMs, streakFrom, toRefusal } = opening
  const limit = Math.min(limitOf(paced, closed, opening), Math.max(paced.pace, paced.limit ?? 0))
  // The limit may not have needed it.
  const isLongWait = isNamed && closedForMs > CHEAP_MEMORY_MS
  const search = createPlateau({
    limit,
    returnTo: isLongWait ? RETURN * toRefusal : 0,
    // The first window may be as short as the time in which nothing was accepted.
    memoryMs: opening.isFirst ? closedForMs : memoryMs,
    waitMs: isLongWait ? closedForMs : 0,
    quietCalls: paced.search?.kind === 'plateau' ? paced.search.calls : 0,
  })
  const found = paced.found ?? (isHeavy && rules.share < 1 ? limit : null)
  const pace = Math.min(ceilingOf(rules, { ...paced, found }), belowLimit(limit))
  return {
    ...paced,
    pace,
    limit,
    found,
    firstRefusalAt: paced.firstRefusalAt ?? closed.since,
    search,
    closed: null,
    memoryMs,
    streakFrom,
    openedAt: isHeavy ? at : paced.openedAt,
    lastOpenedAt: at,
    // What was closed for a slot has refilled by the probe's own call.
    nextAt: at + 1000 / pace,
  }
}

type Opening = ReturnType<typeof openingOf>

/** Says how the limit opened: after it was used up (heavy), or closed for little more than a call. */
function openingOf(paced: Paced, closed: Closed, at: number) {
  const { log, lastOpenedAt, openedAt, streakFrom } = paced
  const closedForMs = at - closed.since
  const since = openedAt ?? firstAt(log) ?? at
  const isHeavy = closed.refusedProbes >= 2 || closedForMs > HEAVY_MS
  const isNewStreak = streakFrom === null || countCalls(log, lastOpenedAt ?? at, closed.since) > STREAK_CALLS
  return {
    isHeavy,
    at,
    closedForMs,
    isNamed: closed.isNamed && closed.refusedProbes === 0,
    // A limit opens once in its memory: one that opens again sooner has a shorter memory than it seemed.
    memoryMs: isHeavy ? Math.min(at - since, Math.max(paced.memoryMs, 4 * closedForMs)) : paced.memoryMs,
    isFirst: openedAt === null && lastOpenedAt === null,
    streakFrom: isNewStreak ? closed.since : streakFrom,
    toRefusal: (countCalls(log, since, at) * 1000) / Math.max(1, closed.lastRefusalAt - since),
  }
}

function limitOf(paced: Paced, { lastRefusalAt, isNamed }: Closed, opening: Opening): number {
  const { log, pace, limit, search } = paced
  const { at, isHeavy, isFirst, memoryMs } = opening
  if (!isHeavy) {
    // A measurement over a short time, or over one with little to send, may mislead.
    const minLimit = MIN_CUT * (search?.kind === 'ramp' ? pace : (limit ?? pace))
    return Math.max(minLimit, lightRate(paced, opening, lastRefusalAt + slotMs(paced) / 2))
  }
  // The first window turned before the accepted probe: up to that, 60 calls in 6 s look like 60 in 8.
  const isBetween = isFirst && !isNamed && memoryMs <= CHEAP_MEMORY_MS
  const measured = rateOver(log, memoryMs, isBetween ? (lastRefusalAt + at) / 2 : at)
  // Where others had used up the limit before the first call, no call of ours says what it allows.
  return measured === 0 ? MIN_CUT * pace : measured
}

const rateOver = (log: Log, ms: number, end: number): number =>
  rateBetween(log, Math.max(end - ms, firstAt(log) ?? end), end)

/** Measures calls a second up to `end`: over the memory, else since it was used up, else the latest. */
function lightRate({ log, pace }: Paced, { memoryMs, streakFrom }: Opening, end: number): number {
  const calls = countCalls(log, streakFrom ?? end, end)
  // At its end the limit had refilled to less than one more call, half a call on average.
  if (memoryMs === 0 && streakFrom !== null && calls >= EVIDENCE && calls <= STREAK_CALLS)
    return ((calls + 0.5) * 1000) / Math.max(1, end - streakFrom)
  const from = memoryMs > 0 ? end - memoryMs : (latestFrom(log, STREAK_CALLS) ?? end)
  if (countCalls(log, from, end) < MIN_CALLS && memoryMs === 0) return MIN_CUT * pace
  const rate = rateOver(log, end - from, end)
  // While the pace grows, the rate of the latest calls is more exact.
  const latest = rateBetween(log, latestFrom(log, MIN_CALLS) ?? end, end)
  return rate < GREW * latest ? latest : rate
}
