// The pacing policy: sends evenly, closes the gate on a 429, sends one probe after the other, and sets the
// pace to the rate that was accepted while the limit was used up (the idea of TCP Westwood and BBR) instead
// of halving it. Functions over the state.
//
//   calls/s
//      |     _|  429                                   __|  429
//      |   _|                                      ___/
//      |  |     x  x   x      x            o______/       o_____
//      +--+-----+-----------------------------+-----------+------> time
//        ramp    closed: probes refused (x), accepted (o)   plateau
import { afterEnd, type End, isTripped, notBefore } from './breaker.ts'
import { duration, rateText } from '../domain/format.ts'
import { EVIDENCE, MAX_PLATEAU_CALLS, MIN_CALLS, WORTH_REPORTING } from './constants.ts'
import { afterAnswer, afterRefusal, afterSend, capOf, shareOfCap } from './in-flight.ts'
import { admit, countCalls, firstAt, withdraw } from './log.ts'
import { open } from './measure.ts'
import type { Failure, Refusal, SentCall } from './observation.ts'
import {
  easeFrom,
  nextPause,
  type Pause,
  pauseAtUserRate,
  pauseFor,
  refusalCause,
  silenceAfter,
} from './pause.ts'
import { isStated, knownRate } from './rules.ts'
import { createRamp, grow } from './search.ts'
import { findOnPlateau } from './share.ts'
import { ceilingOf, type Closed, type PaceState, reportChange, slotMs } from './state.ts'
import { heed, settingPolicy } from './stated.ts'

type Ended = End & { readonly kind: 'ended' }
export type PolicyEvent = { readonly kind: 'sent'; readonly call: SentCall } | Ended

export function step(state: PaceState, event: PolicyEvent): PaceState {
  return event.kind === 'sent'
    ? afterSent(openIfSilent(state, event.call.at), event.call)
    : afterEnded(openIfSilent(state, event.at), event)
}

/** Gives the earliest time for the next call; Infinity while it must wait for an answer. */
export function nextSendAt(before: PaceState, now: number, inFlight: number): number {
  const state = openIfSilent(before, now)
  const waitUntil = Math.max(now, probedUntil(state))
  if (now < waitUntil) return notBefore(state.breaker, waitUntil)
  // The ramp doubles the calls in flight once such calls were answered: an own queue fills in a second. Among
  // several processes each call counts as the only one, and nothing is known.
  const { reached } = state.inFlight.service
  const reach = state.search?.kind === 'ramp' && reached !== 1 ? Math.max(MIN_CALLS, 2 * reached) : Infinity
  const isFull = inFlight >= Math.min(shareOfCap(state.inFlight, state.rules.share), reach)
  return notBefore(state.breaker, isFull ? Infinity : Math.max(now, state.nextAt ?? now))
}

export interface PaceStanding {
  /** Counts calls a second; null for no limit. */
  readonly pace: number | null
  readonly policy: string | undefined
  readonly pause: Pause | undefined
  /** Says that the stated rate is too high, or what limit was found that the endpoint does not name. */
  readonly advice: string | undefined
}

export function paceOf(state: PaceState): PaceStanding {
  const { pace, breaker, pause } = state
  const isLonger = (breaker.pause?.until ?? 0) > (pause?.until ?? 0)
  return {
    pace: pace < Infinity ? pace : null,
    policy: settingPolicy(state),
    pause: (isLonger ? breaker.pause : pause) ?? undefined,
    advice: adviceOf(state),
  }
}

function adviceOf({ rules, sent, closed, eased, overload, limit, inFlight }: PaceState): string | undefined {
  // 429s are more than accidents.
  const isOften = eased.times > EVIDENCE && eased.times * MAX_PLATEAU_CALLS > sent
  const isRefused = (closed?.refusedProbes ?? 0) >= EVIDENCE || eased.calls >= 2 ** EVIDENCE || isOften
  if (isStated(rules) && isRefused)
    return (
      `429s go on at the stated rate, ${rateText(knownRate(rules))}: the limit is lower, or other traffic ` +
      'uses it. State a lower --rate, or leave it out'
    )
  if (overload.isBack && limit !== null)
    return (
      `503s come back as the pace rises: the endpoint takes about ${rateText(limit)}. ` +
      `--rate keeps below it`
    )
  const { slow = null, inFlight: most } = inFlight.cap ?? {}
  if (slow === null) return undefined
  return (
    `answers take ${duration(slow.ms)} with ${Math.round(slow.inFlight)} calls in flight, ` +
    `${duration(slow.baseMs)} with few: about ${most} at once keep it busy. ` +
    `--concurrency ${most} sends no more`
  )
}

function probedUntil({ closed, pause, refusalMs }: PaceState): number {
  const silentAt = closed?.probe ? closed.probe.at + silenceAfter(refusalMs, closed.refusedProbes) : -Infinity
  return Math.max(pause?.until ?? -Infinity, silentAt)
}

function openIfSilent(state: PaceState, now: number): PaceState {
  const { closed } = state
  return closed?.probe && now >= probedUntil(state) ? open(state, closed, closed.probe) : state
}

function afterSent(state: PaceState, call: SentCall): PaceState {
  const breaker = isTripped(state.breaker)
    ? { ...state.breaker, probe: state.breaker.probe ?? call.number }
    : state.breaker
  const { closed, eased, search } = state
  const dueAt = state.nextAt ?? call.at
  const slot = slotMs(state) * (state.sent < eased.until ? eased.slots : 1)
  const next = {
    ...state,
    sent: state.sent + 1,
    breaker,
    log: admit(state.log, call.at),
    inFlight: afterSend(state.inFlight, call.inFlight),
    closed: closed && { ...closed, probe: closed.probe ?? call },
    // Up to half a slot of lateness is made up for: idle time is never repaid in a burst.
    nextAt: Math.max(dueAt, call.at - slot / 2) + slot,
  }
  // A call that was late for lack of work proves nothing about the pace.
  if (closed !== null || search === null || call.at - dueAt >= slot) return next
  const grown = grow(search, state.pace, call.at)
  const pace = Math.min(ceilingOf(state), grown.pace)
  return findOnPlateau({ ...next, search: grown.search, pace }, call.at)
}

function afterEnded(before: PaceState, event: Ended): PaceState {
  const { at, observation } = event
  const namedMs = ('namedMs' in observation ? observation.namedMs : undefined) ?? 0
  const paused = namedMs > 0 ? { ...before, pause: pauseFor(before.pause, at, namedMs) } : before
  const isPaced = before.rules.rate.kind !== 'unlimited'
  const { breaker, cause } = afterEnd(before.breaker, event, isPaced)
  const isTrip = isTripped(breaker) && !isTripped(before.breaker)
  const state = isPaced ? afterPaced(paused, event, isTrip) : paused
  return reportChange({ ...state, breaker }, cause)
}

function afterPaced(state: PaceState, ended: Ended, isTrip: boolean): PaceState {
  const { at, call, observation } = ended
  const { closed, log } = state
  const isProbe = closed?.probe?.number === call.number
  switch (observation.kind) {
    case 'rateLimited':
      return afterRefused(heed(state, call, observation.hints), at, call, observation)
    case 'nothing':
      // The next call is the first, or the probe.
      return {
        ...state,
        log: withdraw(log, call.at),
        closed: closed && isProbe ? { ...closed, probe: null } : closed,
      }
    case 'failed':
      if (observation.isBusy === true && !isStated(state.rules))
        return afterBusy(state, ended, observation, isTrip)
      return reportPace(heed(closed && isProbe ? open(state, closed, call) : state, call))
    case 'accepted': {
      const opened = closed && isProbe ? open(state, closed, call) : state
      if (isStated(state.rules)) return reportPace(heed(opened, call, observation.hints))
      const inFlight = afterAnswer(state.inFlight, call, at - call.at, state.sent)
      const next = heed({ ...opened, inFlight }, call, observation.hints)
      const isFound = capOf(inFlight) < capOf(state.inFlight)
      return isFound ? reportChange(next, adviceOf(next)) : reportPace(next)
    }
  }
}

/**
 * Handles a 503: a failure, or a limit that is not said as a 429. It may be a limit if 503s pause the
 * endpoint as failures do, but not if its probe gets one, too: then it is down, unless they pause it again
 * soon.
 */
function afterBusy(
  before: PaceState,
  { at, call }: Ended,
  { namedMs }: Failure,
  isThird: boolean,
): PaceState {
  const { lastOpenedAt, closed, search } = before
  let { trippedAt, isLimit, inVain, named, isBack } = before.overload
  const isNamed = (namedMs ?? 0) > 0
  // The wait ends what would be several in a row: a limit refuses a call every few, an outage each.
  const calls = call.number - named.number
  if (isNamed)
    named = { number: call.number, count: calls > MIN_CALLS ? 1 : named.count + (calls > 1 ? 1 : 0) }
  const isTrip = isNamed ? named.count > EVIDENCE && calls > 1 : isThird
  const log = withdraw(before.log, call.at)
  if (!isLimit && isTrip && inVain <= EVIDENCE) {
    const isAgain = trippedAt !== null && call.number - trippedAt < MAX_PLATEAU_CALLS
    isLimit = true
    isBack = isNamed || isAgain
    trippedAt = isAgain ? null : call.number
  } else if (isLimit && closed === null && call.number >= before.heededUpTo) {
    isBack = true
    const accepted = lastOpenedAt === null ? Infinity : countCalls(before.log, lastOpenedAt, at)
    // After a call or two the pace is still far above a limit: that says nothing.
    if (accepted > EVIDENCE) inVain = accepted < MIN_CALLS ? inVain + 1 : 0
  }
  const isDown = trippedAt !== null && closed?.probe?.number === call.number
  if (isLimit && (isDown || inVain > EVIDENCE)) {
    const overload = { trippedAt, isLimit: false, inVain, named, isBack: false }
    return { ...before, log, closed: null, search: search && createRamp(), overload }
  }
  const state = { ...before, log, overload: { trippedAt, isLimit, inVain, named, isBack } }
  return isLimit ? afterRefused(state, at, call, { kind: 'rateLimited', namedMs, status: 503 }) : state
}

function reportPace(state: PaceState): PaceState {
  const [pace, before] = [state.pace, state.reported.pace]
  if (Math.abs(pace / before - 1) < WORTH_REPORTING) return state
  const policy = settingPolicy(state)
  if (policy !== undefined) return reportChange(state, `the endpoint states ${policy}`)
  if (pace > before) return reportChange(state, 'nothing refused: faster')
  const isShare = state.rules.share < 1 && state.found !== null
  return reportChange(state, isShare ? 'the calls so far count toward the share' : 'set to the accepted rate')
}

function afterRefused(before: PaceState, now: number, call: SentCall, refusal: Refusal): PaceState {
  const { closed, heededUpTo } = before
  const isNews = call.number >= heededUpTo
  const isFirst = closed === null && isNews
  const found = isStated(before.rules)
    ? ({ limit: before.inFlight, reading: 'unexplained' } as const)
    : afterRefusal(before.inFlight, call.inFlight, isFirst)
  const state: PaceState = {
    ...before,
    log: withdraw(before.log, call.at),
    refusalMs: now - call.at,
    closed: closed && { ...closed, lastRefusalAt: Math.max(closed.lastRefusalAt, call.at) },
    inFlight: found.limit,
  }
  if (found.reading === 'explained') return state
  if (found.reading === 'found') {
    // The limit is one on concurrency: the rate is searched for again.
    const pace = Math.max(state.pace, state.limit ?? 0)
    const cause = `429: at most ${capOf(found.limit)} calls at once`
    return reportChange({ ...state, pace, search: createRamp() }, cause)
  }
  // A call that was in flight at the previous 429 may still name a longer wait.
  if (!isNews) return reportChange(state, (refusal.namedMs ?? 0) === 0 ? undefined : refusalCause(refusal))
  return afterNews(state, now, call.at, refusal)
}

/** Handles a 429 that says something new: closes the gate, or refuses its probe. */
function afterNews(state: PaceState, now: number, sentAt: number, refusal: Refusal): PaceState {
  const { namedMs, hints } = refusal
  const isNamed = (namedMs ?? 0) > 0
  // After a ramp, which overshoots by far, or where a window had to turn before, a probe a slot later would
  // be refused, too.
  const isSoonOpen = isNamed || (state.search?.kind !== 'ramp' && state.memoryMs === 0)
  const closed: Closed =
    state.closed === null
      ? { since: now, lastRefusalAt: sentAt, refusedProbes: isSoonOpen ? 0 : 1, isNamed, probe: null }
      : {
          ...state.closed,
          refusedProbes: state.closed.refusedProbes + 1,
          isNamed: isNamed || state.closed.isNamed,
          probe: null,
        }
  const episode = {
    refusedProbes: closed.refusedProbes,
    closedForMs: now - closed.since,
    sinceOpeningMs: now - (state.openedAt ?? firstAt(state.log) ?? now),
    slotMs: slotMs(state),
    namedMs,
    resetMs: hints?.resetMs,
    windowLeftMs: windowLeftMs(state, now),
    isFirst: state.memoryMs === 0,
  }
  const ms = isStated(state.rules) ? pauseAtUserRate(episode) : nextPause(episode)
  const eased = state.closed === null ? easeFrom(state.eased, state.sent) : state.eased
  const pause = pauseFor(state.pause, now, ms)
  return reportChange({ ...state, closed, eased, heededUpTo: state.sent, pause }, refusalCause(refusal))
}

/** Is until when a window lasts that has accepted as many calls as the one before: it is used up, too. */
function windowLeftMs({ log, openedAt, memoryMs, memoryCalls }: PaceState, now: number): number {
  if (openedAt === null || Math.abs(countCalls(log, openedAt, now) - memoryCalls) > 1) return 0
  return Math.max(0, openedAt + memoryMs - now)
}
