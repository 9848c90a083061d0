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
import { afterEnd, isTripped, notBefore } from './breaker.ts'
import { duration, rateText } from '../domain/format.ts'
import { MIN_CALLS, WORTH_REPORTING } from './constants.ts'
import { afterAnswer, afterRefusal, afterSend, capOf, type InFlightLimit } from './in-flight.ts'
import { admit, countCalls, firstAt, withdraw } from './log.ts'
import { open } from './measure.ts'
import type { Failure, Observation, Refusal } from './observation.ts'
import { noteBusy } from './overload.ts'
import { nextPause, type Pause, pauseFor, refusalCause, silenceAfter } from './pause.ts'
import { isStated } from './rules.ts'
import { createRamp, foundUpTo, grow } from './search.ts'
import {
  ceilingOf,
  type Paced,
  type PaceState,
  reportChange,
  type SentCall,
  slotMs,
  startPace,
} from './state.ts'
import { heed, settingPolicy } from './stated.ts'
import { easeFrom, isTooHigh, pauseAtUserRate } from './user-rate.ts'

interface Ended {
  readonly kind: 'ended'
  readonly at: number
  readonly call: SentCall
  readonly observation: Observation
  readonly random: number
}
export type PolicyEvent = { readonly kind: 'sent'; readonly call: SentCall } | Ended

export function step(state: PaceState, event: PolicyEvent): PaceState {
  return event.kind === 'sent'
    ? afterSent(openIfSilent(state, event.call.at), event.call)
    : afterEnded(openIfSilent(state, event.at), event)
}

/** Gives the earliest time for the next call; Infinity while it must wait for an answer. */
export function nextSendAt(before: PaceState, now: number, inFlight: number): number {
  const state = openIfSilent(before, now)
  const { paced, breaker } = state
  const waitUntil = Math.max(now, probedUntil(state))
  if (paced === null || now < waitUntil) return notBefore(breaker, waitUntil)
  // The share applies to a concurrency limit, too.
  const cap = Math.max(1, Math.floor(state.rules.share * capOf(paced.inFlight)))
  const maxInFlight = Math.min(cap, reachOf(paced))
  return notBefore(breaker, inFlight >= maxInFlight ? Infinity : Math.max(now, paced.nextAt ?? now))
}

/**
 * Lets the ramp double the calls in flight once such calls were answered: an own queue fills in a second.
 * Among several processes each call counts as the only one, and nothing is known.
 */
function reachOf({ search, inFlight }: Paced): number {
  const { reached } = inFlight.service
  return search?.kind === 'ramp' && reached !== 1 ? Math.max(MIN_CALLS, 2 * reached) : Infinity
}

export interface PaceStanding {
  /** Counts calls a second; null for no limit. */
  readonly pace: number | null
  readonly policy: string | undefined
  readonly pause: Pause | undefined
  readonly isRateRefused: boolean
  /** Says what limit was found that the endpoint does not name, and which option keeps to it. */
  readonly advice: string | undefined
}

export function paceOf(state: PaceState): PaceStanding {
  const { paced, breaker, pause, rules } = state
  const isLonger = (breaker.pause?.until ?? 0) > (pause?.until ?? 0)
  return {
    pace: paced?.pace ?? null,
    policy: settingPolicy(state),
    pause: (isLonger ? breaker.pause : pause) ?? undefined,
    isRateRefused: isStated(rules) && paced !== null && isTooHigh(paced),
    advice: paced === null ? undefined : adviceOf(paced),
  }
}

function adviceOf({ overload, limit, inFlight }: Paced): string | undefined {
  if (overload.isLimit === true && limit !== null)
    return (
      `503s come back as the pace rises: the endpoint takes about ${rateText(limit)}. ` +
      `--rate keeps below it`
    )
  return inFlight.cap?.isSlow === true ? slowAdvice(inFlight) : undefined
}

const slowAdvice = ({ cap, service }: InFlightLimit): string =>
  `answers take ${duration(Math.exp(service.time))} with ${Math.round(service.inFlight)} calls in flight, ` +
  `${duration(Math.exp(service.base?.time ?? 0))} with few: at most ${cap?.inFlight} at once. ` +
  `--concurrency keeps below it`

function probedUntil({ paced, pause }: PaceState): number {
  const { closed = null, refusalMs = 0 } = paced ?? {}
  const silentAt = closed?.probe ? closed.probe.at + silenceAfter(refusalMs, closed.refusedProbes) : -Infinity
  return Math.max(pause?.until ?? -Infinity, silentAt)
}

function openIfSilent(state: PaceState, now: number): PaceState {
  const { paced, rules } = state
  if (!paced?.closed?.probe || now < probedUntil(state)) return state
  return { ...state, paced: open(paced, paced.closed, paced.closed.probe.at, rules) }
}

function afterSent(state: PaceState, call: SentCall): PaceState {
  const breaker = isTripped(state.breaker)
    ? { ...state.breaker, probe: state.breaker.probe ?? call.number }
    : state.breaker
  const sent = { ...state, sent: state.sent + 1, breaker }
  if (state.paced === null) return sent
  const { log, inFlight, closed, nextAt, search } = state.paced
  const dueAt = nextAt ?? call.at
  const { eased } = state.paced
  const slot = slotMs(state.paced) * (state.sent < eased.until ? eased.slots : 1)
  const paced = {
    ...state.paced,
    log: admit(log, call.at),
    inFlight: afterSend(inFlight, call.inFlight),
    closed: closed && { ...closed, probe: closed.probe ?? call },
    // Up to half a slot of lateness is made up for: idle time is never repaid in a burst.
    nextAt: Math.max(dueAt, call.at - slot / 2) + slot,
  }
  // A call that was late for lack of work proves nothing about the pace.
  if (closed !== null || search === null || call.at - dueAt >= slot) return { ...sent, paced }
  const grown = grow(search, paced.pace, call.at)
  const next = { ...paced, search: grown.search, found: paced.found ?? foundUpTo(grown.search, state.rules) }
  return { ...sent, paced: { ...next, pace: Math.min(ceilingOf(state.rules, next), grown.pace) } }
}

function afterEnded(before: PaceState, event: Ended): PaceState {
  const { at, call, observation } = event
  const namedMs = ('namedMs' in observation ? observation.namedMs : undefined) ?? 0
  const paused = namedMs > 0 ? { ...before, pause: pauseFor(before.pause, at, namedMs) } : before
  const { breaker, cause } = afterEnd(
    before.breaker,
    { ...event, number: call.number },
    before.paced !== null,
  )
  const isTrip = isTripped(breaker) && !isTripped(before.breaker)
  const state = paused.paced === null ? paused : afterPaced(paused, paused.paced, event, isTrip)
  return reportChange({ ...state, breaker }, cause)
}

function afterPaced(state: PaceState, paced: Paced, ended: Ended, isTrip: boolean): PaceState {
  const { at, call, observation } = ended
  const { closed, log, inFlight } = paced
  const isProbe = closed?.probe?.number === call.number
  switch (observation.kind) {
    case 'rateLimited':
      return afterRefused(heed(state, paced, call, observation.hints), at, call, observation)
    case 'nothing':
      // The next call is the first, or the probe.
      return {
        ...state,
        paced: {
          ...paced,
          log: withdraw(log, call.at),
          closed: closed && isProbe ? { ...closed, probe: null } : closed,
        },
      }
    case 'failed':
      if (observation.isBusy === true && !isStated(state.rules))
        return afterBusy(state, paced, ended, observation, isTrip)
      return reportPace(
        heed(state, closed && isProbe ? open(paced, closed, call.at, state.rules) : paced, call),
      )
    case 'accepted': {
      const opened = closed && isProbe ? open(paced, closed, call.at, state.rules) : paced
      if (isStated(state.rules)) return reportPace(heed(state, opened, call, observation.hints))
      const served = afterAnswer(inFlight, call, at - call.at, state.sent)
      const next = heed(state, { ...opened, inFlight: served }, call, observation.hints)
      const isFound = capOf(served) < capOf(inFlight)
      return isFound ? reportChange(next, slowAdvice(served)) : reportPace(next)
    }
  }
}

/** Handles a 503, which is a failure, or a limit that is not said as a 429. */
function afterBusy(state: PaceState, before: Paced, { at, call }: Ended, failure: Failure, isTrip: boolean) {
  const { log, lastOpenedAt, closed } = before
  const isFirst = closed === null && call.number >= before.heededUpTo
  const isSoon = lastOpenedAt !== null && countCalls(log, lastOpenedAt, at) < MIN_CALLS
  const overload = noteBusy(before.overload, call.number, { isTrip, isFirst, isSoon })
  const paced = { ...before, overload, log: withdraw(log, call.at) }
  const { namedMs } = failure
  if (overload.isLimit === true)
    return afterRefused({ ...state, paced }, at, call, { kind: 'rateLimited', namedMs, status: 503 })
  if (before.overload.isLimit !== true) return { ...state, paced }
  return {
    ...state,
    paced: { ...paced, pace: Math.max(paced.pace, startPace(state.rules)), search: createRamp() },
  }
}

function reportPace(state: PaceState): PaceState {
  const [pace, before] = [state.paced?.pace ?? 0, state.reported.pace ?? 0]
  if (Math.abs(pace / before - 1) < WORTH_REPORTING) return state
  const policy = settingPolicy(state)
  if (policy !== undefined) return reportChange(state, `the endpoint states ${policy}`)
  return reportChange(state, pace > before ? 'nothing refused: faster' : 'set to the accepted rate')
}

function afterRefused(before: PaceState, now: number, call: SentCall, refusal: Refusal): PaceState {
  if (before.paced === null) return before
  const { closed, heededUpTo, refusalMs } = before.paced
  const isNews = call.number >= heededUpTo
  const isFirst = closed === null && isNews
  const found = isStated(before.rules)
    ? ({ limit: before.paced.inFlight, reading: 'unexplained' } as const)
    : afterRefusal(before.paced.inFlight, call.inFlight, isFirst)
  const paced: Paced = {
    ...before.paced,
    log: withdraw(before.paced.log, call.at),
    refusalMs: (refusalMs + now - call.at) / 2,
    closed: closed && { ...closed, lastRefusalAt: Math.max(closed.lastRefusalAt, call.at) },
    inFlight: found.limit,
  }
  // One of the calls in flight will be answered soon.
  const paused = { ...before, paced, pause: pauseFor(before.pause, now, refusalMs) }
  if (found.reading === 'explained') return paused
  if (found.reading === 'found') {
    // The limit is one on concurrency: the rate is searched for again.
    const pace = Math.max(paced.pace, paced.limit ?? 0)
    const state = { ...paused, paced: { ...paced, pace, search: createRamp() } }
    return reportChange(state, `429: at most ${capOf(found.limit)} calls at once`)
  }
  const state = { ...before, paced }
  // A call that was in flight at the previous 429 may still name a longer wait.
  if (!isNews) return reportChange(state, (refusal.namedMs ?? 0) === 0 ? undefined : refusalCause(refusal))
  return afterNews(state, paced, now, call.at, refusal)
}

/** Handles a 429 that says something new: closes the gate, or refuses its probe. */
function afterNews(state: PaceState, paced: Paced, now: number, sentAt: number, refusal: Refusal): PaceState {
  const { namedMs, hints } = refusal
  const isNamed = (namedMs ?? 0) > 0
  // After a ramp, which overshoots by far, or where a window had to turn before, a probe a slot later would be
  // refused, too.
  const isSoonOpen = isNamed || (paced.search?.kind !== 'ramp' && paced.memoryMs === 0)
  const before =
    paced.closed === null
      ? { since: now, lastRefusalAt: sentAt, refusedProbes: isSoonOpen ? 0 : 1 }
      : { ...paced.closed, refusedProbes: paced.closed.refusedProbes + 1 }
  const closed = { ...before, isNamed: isNamed || (paced.closed?.isNamed ?? false), probe: null }
  const episode = {
    refusedProbes: closed.refusedProbes,
    closedForMs: now - closed.since,
    sinceOpeningMs: now - (paced.openedAt ?? firstAt(paced.log) ?? now),
    slotMs: slotMs(paced),
    namedMs,
    resetMs: hints?.resetMs,
  }
  const ms = isStated(state.rules) ? pauseAtUserRate(episode) : nextPause(episode)
  const eased = paced.closed === null ? easeFrom(paced.eased, state.sent) : paced.eased
  const next = { ...paced, closed, eased, heededUpTo: state.sent }
  return reportChange({ ...state, paced: next, pause: pauseFor(state.pause, now, ms) }, refusalCause(refusal))
}
