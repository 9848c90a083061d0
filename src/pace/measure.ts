// Measures what a limit allows, when it opens again: calls accepted over the time in which it was used up.
import {
  CHEAP_MEMORY_MS,
  DEEPEST_CUT,
  EVIDENCE,
  GREW,
  HEAVY_MS,
  MARGIN,
  MIN_CALLS,
  RETURN,
  RETURN_AFTER_LONG_WAIT,
  STREAK_CALLS,
} from './constants.ts'
import { countCalls, firstAt, latestFrom, type Log, rateBetween } from './log.ts'
import type { Rules } from './rules.ts'
import { belowLimit, createPlateau } from './search.ts'
import { ceilingOf, type Closed, type Paced, slotMs } from './state.ts'

/** The call sent at `at` got a 429. `isBlind`: neither the limit nor a wait is named. */
export function close(paced: Paced, now: number, at: number, isBlind: boolean): Closed {
  const { log, search, usedUpBy } = paced
  const calls = countCalls(log, paced.lastOpenedAt ?? firstAt(log) ?? at, at)
  // A window accepts the same number each time, however fast it is used up; a bucket does not.
  const isRepeated = usedUpBy === null ? null : Math.abs(calls - usedUpBy) <= 1
  // The ramp overshoots by far, and a window has to turn: a probe one slot later would be refused, too.
  const isFar = search?.kind === 'ramp' || (isRepeated === true && calls >= MIN_CALLS)
  const refusedProbes = isBlind && isFar ? 1 : 0
  return { since: now, lastRefusalAt: at, refusedProbes, isNamed: false, calls, isRepeated, probe: null }
}

/** The probe sent at `at` was accepted: measures what the limit allowed, and continues a little below it. */
export function open(paced: Paced, closed: Closed, at: number, rules: Rules): Paced {
  const opening = openingOf(paced, closed, at)
  const { kind, memoryMs, isWindow, isNamed, closedForMs, streakFrom, toRefusal } = opening
  const limit = Math.min(limitOf(paced, closed, opening), Math.max(paced.pace, paced.limit ?? 0))
  const isLongWait = isNamed && isWindow === null && closedForMs > CHEAP_MEMORY_MS
  const returnTo = (isLongWait ? RETURN_AFTER_LONG_WAIT : RETURN) * toRefusal
  const search = createPlateau({
    limit,
    returnTo: isNamed && isWindow !== true ? returnTo : 0,
    // The first window may be as short as the time in which nothing was accepted.
    memoryMs: opening.isFirst ? closedForMs : memoryMs,
    misledMs: kind === 'misled' || isLongWait ? closedForMs : 0,
    quietCalls: paced.search?.kind === 'plateau' ? paced.search.calls : 0,
  })
  const pace = Math.min(ceilingOf(rules, paced.policy), belowLimit(limit))
  return {
    ...paced,
    pace,
    limit,
    search,
    closed: null,
    memoryMs,
    isWindow,
    streakFrom,
    openedAt: kind === 'light' ? paced.openedAt : at,
    lastOpenedAt: at,
    usedUpBy: closed.calls,
    firstRefusalAt: paced.firstRefusalAt ?? closed.since,
    // What was closed for a slot has refilled by the probe's own call.
    nextAt: at + 1000 / pace,
  }
}

type Opening = ReturnType<typeof openingOf>

/**
 * How the limit opened: after it was used up (`heavy`), for little more than a call (`light`), or sooner than
 * named (`misled`).
 */
function openingOf(paced: Paced, closed: Closed, at: number) {
  const { log, lastOpenedAt, openedAt, streakFrom } = paced
  const closedForMs = at - closed.since
  const since = openedAt ?? firstAt(log) ?? at
  const lastAt = lastOpenedAt ?? at
  const isNamed = closed.isNamed && closed.refusedProbes === 0
  const isWindow = isNamed ? (closed.isRepeated ?? paced.isWindow) : paced.isWindow
  const isUsedUp = closed.refusedProbes >= 2 || closedForMs > HEAVY_MS
  const kind = isNamed && isWindow === false ? 'misled' : isUsedUp ? 'heavy' : 'light'
  // A limit opens once in its memory: one that opens again sooner has a shorter memory than it seemed.
  const memoryMs =
    kind === 'heavy' ? Math.min(at - since, Math.max(paced.memoryMs, 4 * closedForMs)) : paced.memoryMs
  const isNewStreak = streakFrom === null || countCalls(log, lastAt, closed.since) > STREAK_CALLS
  return {
    kind,
    at,
    lastAt,
    closedForMs,
    isNamed,
    isWindow,
    memoryMs,
    isFirst: openedAt === null && lastOpenedAt === null,
    streakFrom: isNewStreak ? closed.since : streakFrom,
    /** Calls a second from the opening before to the last 429. */
    toRefusal: (countCalls(log, since, at) * 1000) / Math.max(1, closed.lastRefusalAt - since),
  } as const
}

/** Calls a second that the limit allowed. */
function limitOf(paced: Paced, { lastRefusalAt, isNamed }: Closed, opening: Opening): number {
  const { log, pace, limit, search } = paced
  const { at, lastAt, memoryMs, toRefusal } = opening
  // A measurement over a short time may mislead.
  const minLimit = DEEPEST_CUT * (search?.kind === 'ramp' ? pace : (limit ?? pace))
  switch (opening.kind) {
    case 'heavy': {
      // The first window turned between the last refused probe and the accepted one: up to the latter, 60
      // calls in 6 s look like 60 in 8.
      const isFirst = opening.isFirst && !isNamed && memoryMs <= CHEAP_MEMORY_MS
      return rateOver(log, memoryMs, isFirst ? (lastRefusalAt + at) / 2 : at)
    }
    case 'light':
      return Math.max(minLimit, lightRate(paced, opening, lastRefusalAt + slotMs(paced) / 2))
    case 'misled': {
      // Since the opening before, waits included; or since the latest, once what was saved before is used up.
      const isSpent = countCalls(log, lastAt, lastRefusalAt) >= STREAK_CALLS
      return Math.max(minLimit, toRefusal, isSpent ? rateBetween(log, lastAt, lastRefusalAt) : 0)
    }
  }
}

const rateOver = (log: Log, ms: number, end: number): number =>
  rateBetween(log, Math.max(end - ms, firstAt(log) ?? end), end)

/**
 * Calls a second up to `end`: over the limit's memory, else since it was used up, else over the latest calls.
 */
function lightRate({ log, pace }: Paced, { memoryMs, streakFrom }: Opening, end: number): number {
  const calls = countCalls(log, streakFrom ?? end, end)
  // At its end the limit had refilled to less than one more call, half a call on average.
  if (memoryMs === 0 && streakFrom !== null && calls >= EVIDENCE && calls <= STREAK_CALLS)
    return ((calls + 0.5) * 1000) / Math.max(1, end - streakFrom)
  const from = memoryMs > 0 ? end - memoryMs : (latestFrom(log, STREAK_CALLS) ?? end)
  if (countCalls(log, from, end) < MIN_CALLS && memoryMs === 0) return DEEPEST_CUT * pace
  const rate = rateOver(log, end - from, end)
  // While the pace grows, the rate of the latest calls is more exact.
  const latest = rateBetween(log, latestFrom(log, MIN_CALLS) ?? end, end)
  return rate < GREW * latest ? MARGIN * latest : rate
}
