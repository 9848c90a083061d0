// Measures what a limit allows, when it opens again: calls accepted over the time in which it was used up.
import {
  CHEAP_MEMORY_MS,
  DEEPEST_CUT,
  EVIDENCE,
  GREW,
  HEAVY_MS,
  HEAVY_SLOTS,
  LONG_OF_MEMORY,
  LONG_WAIT_MS,
  MARGIN,
  MIN_CALLS,
  RETURN,
  RETURN_AFTER_LONG_WAIT,
  STREAK_CALLS,
} from './constants.ts'
import { countCalls, firstAt, latestFrom, type Log, rateBetween } from './log.ts'
import { ROUND_WINDOWS } from './pause.ts'
import { knownRate, type Rules } from './rules.ts'
import { belowLimit, createPlateau } from './search.ts'
import { ceilingOf, type Closed, type Paced, slotMs, startPace } from './state.ts'

/** The call sent at `at` got a 429. `isBlind`: neither the limit nor a wait is named. */
export function close(paced: Paced, now: number, at: number, isBlind: boolean): Closed {
  const { log, search, usedUpBy } = paced
  const calls = countCalls(log, paced.lastOpenedAt ?? firstAt(log) ?? at, at)
  // A window accepts the same number each time, however fast it is used up; a bucket does not.
  const isRepeated = usedUpBy === null ? null : Math.abs(calls - usedUpBy) <= 1
  // The ramp overshoots by far, and a window has to turn: a probe one slot later would be refused, too.
  const isFar = isBlind && (search?.kind === 'ramp' || (isRepeated === true && calls >= MIN_CALLS))
  const refusedProbes = isFar ? 1 : 0
  return { since: now, lastRefusalAt: at, refusedProbes, isNamed: false, calls, isRepeated, probe: null }
}

/** The probe sent at `at` was accepted: measures what the limit allowed, and continues a little below it. */
export function open(paced: Paced, closed: Closed, at: number, rules: Rules): Paced {
  const opening = openingOf(paced, closed, at)
  const { kind, memoryMs, isWindow, isNamed, closedForMs, streakFrom } = opening
  const before = paced.limit ?? paced.pace
  const measured = Math.min(limitOf(paced, closed, opening, startPace(rules)), Math.max(paced.pace, before))
  // One 429 at a known rate says little.
  const isDoubtful = knownRate(rules) < Infinity && closed.refusedProbes === 0 && !closed.isNamed
  const limit = Math.max(measured, isDoubtful ? belowLimit(before) : 0)
  const isLongWait = isNamed && isWindow === null && closedForMs > LONG_WAIT_MS
  const returnTo = (isLongWait ? RETURN_AFTER_LONG_WAIT : RETURN) * opening.toRefusal
  // The first window may be as short as the time in which nothing was accepted.
  const shortest = ROUND_WINDOWS.find((window) => window >= closedForMs) ?? memoryMs
  const search = createPlateau(at, {
    limit,
    returnTo: isNamed && isWindow !== true ? returnTo : 0,
    memoryMs: opening.isFirst ? Math.min(memoryMs, shortest / 2) : memoryMs,
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
    // A log that frees one call after the other is closed for a few slots.
    usedUpBy: !closed.isNamed && closedForMs <= HEAVY_SLOTS * slotMs(paced) ? null : closed.calls,
    firstRefusalAt: paced.firstRefusalAt ?? closed.since,
    // What was closed for a slot has refilled by the probe's own call.
    nextAt: at + 1000 / pace,
  }
}

type Opening = ReturnType<typeof openingOf>

/** How the limit opened: after it was used up (`heavy`), for little more than a call (`light`), or sooner than named (`misled`). */
function openingOf(paced: Paced, closed: Closed, at: number) {
  const { log, lastOpenedAt } = paced
  const closedForMs = at - closed.since
  const since = paced.openedAt ?? firstAt(log) ?? at
  const isNamed = closed.isNamed && closed.refusedProbes === 0
  const isWindow = isNamed ? (closed.isRepeated ?? paced.isWindow) : paced.isWindow
  const longMs = Math.max(HEAVY_MS, HEAVY_SLOTS * slotMs(paced), LONG_OF_MEMORY * paced.memoryMs)
  const isUsedUp = closed.refusedProbes >= 2 || closedForMs > longMs
  const kind = isNamed && isWindow === false ? 'misled' : isUsedUp ? 'heavy' : 'light'
  // A limit opens once in its memory: one that opens again sooner has a shorter memory than it seemed.
  const memoryMs =
    kind === 'heavy' ? Math.min(at - since, Math.max(paced.memoryMs, 4 * closedForMs)) : paced.memoryMs
  const lastAt = lastOpenedAt ?? at
  const isNewStreak = paced.streakFrom === null || countCalls(log, lastAt, closed.since) > STREAK_CALLS
  const toRefusal = (countCalls(log, since, at) * 1000) / Math.max(1, closed.lastRefusalAt - since)
  return {
    kind,
    at,
    lastAt,
    closedForMs,
    isNamed,
    isWindow,
    memoryMs,
    /** The ramp's calls used up the limit. */
    isFirst: kind === 'heavy' && paced.openedAt === null && lastOpenedAt === null,
    streakFrom: isNewStreak ? closed.since : paced.streakFrom,
    /** Calls a second from the opening before to the last 429. */
    toRefusal,
  } as const
}

/** Calls a second that the limit allowed. A measurement over a short time may mislead: it cuts by no more than half. */
function limitOf(paced: Paced, closed: Closed, opening: Opening, start: number): number {
  const { log, pace, limit } = paced
  const { lastRefusalAt } = closed
  const isOfRamp = opening.kind !== 'heavy' && paced.search?.kind === 'ramp'
  const cut = DEEPEST_CUT * (isOfRamp ? pace : (limit ?? start))
  switch (opening.kind) {
    case 'heavy': {
      // The first window turned between the last refused probe and the accepted one: up to the latter, 60 calls in 6 s look
      // like 60 in 8.
      const isFirst = opening.isFirst && !closed.isNamed && opening.memoryMs <= CHEAP_MEMORY_MS
      const end = isFirst ? (lastRefusalAt + opening.at) / 2 : opening.at
      return Math.max(opening.isNamed ? cut : DEEPEST_CUT * cut, rateOver(log, opening.memoryMs, end))
    }
    case 'light':
      return Math.max(cut, lightRate(paced, opening, lastRefusalAt + slotMs(paced) / 2))
    case 'misled': {
      // Since the opening before, waits included; or since the latest, once what was saved before is used up.
      const isSpent = countCalls(log, opening.lastAt, lastRefusalAt) >= STREAK_CALLS
      return Math.max(cut, opening.toRefusal, isSpent ? rateBetween(log, opening.lastAt, lastRefusalAt) : 0)
    }
  }
}

const rateOver = (log: Log, ms: number, end: number): number =>
  rateBetween(log, Math.max(end - ms, firstAt(log) ?? end), end)

/** Calls a second up to `end`: over the limit's memory, else since it was used up, else over the latest calls. */
function lightRate({ log, pace }: Paced, { memoryMs, streakFrom }: Opening, end: number): number {
  if (memoryMs > 0) {
    const rate = rateOver(log, memoryMs, end)
    return memoryMs <= CHEAP_MEMORY_MS ? latestIfGrown(log, rate, end) : rate
  }
  const calls = countCalls(log, streakFrom ?? end, end)
  // At its end the limit had refilled to less than one more call, half a call on average.
  if (streakFrom !== null && calls >= EVIDENCE && calls <= STREAK_CALLS)
    return ((calls + 0.5) * 1000) / Math.max(1, end - streakFrom)
  const from = latestFrom(log, STREAK_CALLS) ?? end
  return countCalls(log, from, end) < MIN_CALLS
    ? DEEPEST_CUT * pace
    : latestIfGrown(log, rateBetween(log, from, end), end)
}

/** While the pace grows, the rate of the latest calls is more exact than `rate`, which is over a longer time. */
function latestIfGrown(log: Log, rate: number, end: number): number {
  const latest = rateBetween(log, latestFrom(log, MIN_CALLS) ?? end, end)
  return rate < GREW * latest ? MARGIN * latest : rate
}
