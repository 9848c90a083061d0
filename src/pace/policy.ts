// The pacing policy: sends evenly, closes the gate on a 429, sends one probe, and sets the pace to the rate that was accepted
// while the limit was used up (the idea of TCP Westwood and BBR) instead of halving it. Functions over the state; no timer, no I/O.
import { admit, begunAt, refuse, wasLate } from './admissions.ts'
import { isOpen, noteEnd, notBefore } from './breaker.ts'
import { CALLS_OF_WINDOW, closingAt, isCheap, measure } from './capacity.ts'
import { closeFor, pauseMs, silenceMs, withWait } from './closing.ts'
import {
  heedPolicies,
  holdBack,
  isStray,
  noteSent,
  rampFrom,
  reopen,
  settingPolicy,
  slotMs,
} from './growth.ts'
import { capOf, noteRefusal, noteSend } from './in-flight.ts'
import type { Observation } from './observation.ts'
import type { Hints } from './hints.ts'
import {
  type Closing,
  leftToSend,
  type Paced,
  type PaceChange,
  type PaceState,
  type Sending,
} from './state.ts'
import { noteStated, policyWords } from './stated.ts'

/** Pause after a 429 for concurrency, until one of the calls in flight is answered. */
const CAP_PAUSE_MS = 50
/** A smaller change of pace is not recorded. */
const WORTH_REPORTING = 0.1

/** Earliest time for the next call; Infinity while it must wait for an answer. */
export function nextSendAt(state: PaceState, now: number, inFlight: number): number {
  const { paced, breaker, closure } = state
  const openAt = Math.max(now, closure?.until ?? now)
  if (paced === null) return notBefore(breaker, openAt)
  // A probe may have been granted ahead of its time; nothing is sent beside it.
  const { closed, refusalMs } = paced
  const silentAt = closed?.probe ? closed.probe.at + silenceMs(refusalMs, closed.failedProbes) : now
  const waitUntil = Math.max(openAt, silentAt)
  if (now < waitUntil) return notBefore(breaker, waitUntil)
  if (closed?.probe) open(paced, closed, closed.probe.at)
  // The share applies to a concurrency limit, too.
  const mostInFlight = Math.max(1, Math.floor(paced.speed.share * capOf(paced.inFlightLimit)))
  return notBefore(breaker, inFlight >= mostInFlight ? Infinity : Math.max(now, paced.speed.nextAt ?? now))
}

/** A call is sent at `now`. `inFlight` counts the call itself. */
export function onSend(state: PaceState, now: number, inFlight: number): Sending {
  const { paced, breaker } = state
  // Opens the gate if the silence after the probe ends by then.
  if (paced?.closed?.probe) nextSendAt(state, now, inFlight)
  const number = state.sent
  // More digits would double the size of the state. Not rounded up: at 300 calls per second that costs 1 %.
  const at = Math.floor(now * 10) / 10
  state.sent += 1
  if (paced !== null) {
    admit(paced.log, at)
    noteSend(paced.inFlightLimit, inFlight)
    if (paced.closed !== null) paced.closed.probe ??= { number, at }
    noteSent(paced.speed, paced.log, at, paced.closed !== null)
  }
  if (isOpen(breaker)) breaker.probe ??= number
  return { number, at, inFlight }
}

/** Returns what changed, in words, if anything worth reporting did. `random`: uniform in [0, 1). */
export function onResult(
  state: PaceState,
  now: number,
  sending: Sending,
  observation: Observation,
  random: () => number,
): string | undefined {
  const { paced, breaker } = state
  if ('namedMs' in observation && (observation.namedMs ?? 0) > 0)
    state.closure = closeFor(state.closure, now, observation.namedMs ?? 0)
  const change = paced === null ? undefined : endPaced(state, paced, now, sending, observation)
  const ofBreaker = noteEnd(breaker, now, sending.number, observation, paced !== null, random)
  return observation.kind === 'failed' ? (ofBreaker ?? change) : (change ?? ofBreaker)
}

/** The pace (calls per second, null for no limit), the policy that sets it, and the present pause. */
export function paceOf({
  paced,
  breaker,
  closure,
}: PaceState): Pick<PaceChange, 'pace' | 'policy' | 'closure'> {
  const isLonger = (breaker.closure?.until ?? 0) > (closure?.until ?? 0)
  const policy = paced && settingPolicy(paced.speed)
  return {
    pace: paced?.speed.pace ?? null,
    policy: policy === null ? undefined : policyWords(policy),
    closure: (isLonger ? breaker.closure : closure) ?? undefined,
  }
}

// ---- With a pace

function endPaced(
  state: PaceState,
  paced: Paced,
  now: number,
  sending: Sending,
  observation: Observation,
): string | undefined {
  const { speed, log, closed } = paced
  if (observation.kind === 'rateLimited') {
    heed(state, paced, sending, observation.hints)
    return refused(state, paced, now, sending, observation)
  }
  if (observation.kind === 'nothing') {
    // The permit was not used: the next call is the probe.
    refuse(log, sending.at)
    wasLate(log, sending.number, null)
    if (closed?.probe?.number === sending.number) closed.probe = null
    return undefined
  }
  if (observation.kind === 'accepted') wasLate(log, sending.number, observation.lateMs ?? 0)
  if (closed?.probe?.number === sending.number) open(paced, closed, sending.at)
  if (observation.kind === 'accepted') heed(state, paced, sending, observation.hints)
  if (Math.abs(speed.pace / paced.reportedPace - 1) < WORTH_REPORTING) return undefined
  const isFaster = speed.pace > paced.reportedPace
  const policy = settingPolicy(speed)
  if (policy !== null) return report(paced, `the endpoint states ${policyWords(policy)}`)
  return report(paced, isFaster ? 'nothing refused: faster' : 'set to the accepted rate')
}

/** What the response states; without hints, what was stated before may reach farther or less far than what is left to send. */
function heed(state: PaceState, paced: Paced, { number }: Sending, hints: Hints | undefined): void {
  const { speed, log, inFlightLimit } = paced
  if (hints?.concurrent !== undefined) inFlightLimit.stated = Math.max(1, hints.concurrent)
  const stated = hints === undefined ? speed.stated : noteStated(speed.stated, number, hints, speed.share)
  const left = leftToSend(state)
  // The pace at the end stays the one of the run.
  if (left > 0 && stated.all.length > 0) heedPolicies(speed, log, stated, state.sent + left)
}

function report(paced: Paced, cause: string): string {
  paced.reportedPace = paced.speed.pace
  return cause
}

function refused(
  state: PaceState,
  paced: Paced,
  now: number,
  sending: Sending,
  { namedMs, hints }: Extract<Observation, { kind: 'rateLimited' }>,
): string | undefined {
  const { speed, log, meter, inFlightLimit } = paced
  refuse(log, sending.at)
  paced.refusalMs = 0.8 * paced.refusalMs + 0.2 * (now - sending.at)
  if (paced.closed !== null) paced.closed.lastRefusalAt = Math.max(paced.closed.lastRefusalAt, sending.at)
  speed.firstRefusalAt ??= sending.at
  const isNews = sending.number >= paced.heededUpTo
  const reading = noteRefusal(inFlightLimit, sending.inFlight, paced.closed === null && isNews)
  const named = namedMs ?? 0
  if (reading !== 'unexplained') {
    state.closure = closeFor(state.closure, now, CAP_PAUSE_MS)
    if (reading === 'explained') return undefined
    // The limit is one on concurrency: the rate is searched for again.
    speed.growth = rampFrom(now)
    speed.pace = Math.max(speed.pace, speed.capacity)
    return report(paced, `429: at most ${capOf(inFlightLimit)} calls at once`)
  }
  const cause = withWait('429', namedMs)
  // Its call was in flight at the previous 429; it may still name a longer wait.
  if (!isNews) return named === 0 ? undefined : report(paced, cause)
  const callsApart = state.sent - paced.heededUpTo
  paced.heededUpTo = state.sent
  if (paced.closed === null && named === 0 && isStray(speed, callsApart)) {
    holdBack(speed, now)
    return report(paced, cause)
  }
  if (paced.closed !== null) paced.closed.failedProbes += 1
  const closed = (paced.closed ??= closingAt(paced, now, sending.at, named === 0 && speed.known === null))
  closed.isNamed ||= named > 0 || (closed.failedProbes >= 2 && (hints?.resetMs ?? 0) > 0)
  closed.probe = null
  const pause = pauseMs({
    failedProbes: closed.failedProbes,
    closedForMs: now - closed.since,
    sinceOpeningMs: now - (meter.openedAt ?? begunAt(log) ?? now),
    slotMs: slotMs(speed),
    memoryMs: meter.memoryMs,
    isShort: isCheap(meter) && speed.growth?.kind === 'plateau' && speed.growth.sends >= CALLS_OF_WINDOW,
    namedMs,
    resetMs: hints?.resetMs,
  })
  state.closure = closeFor(state.closure, now, Math.max(pause, closed.turnsFrom - now))
  return report(paced, cause)
}

/** The probe was accepted: measures what the limit allowed and continues a little below it. */
function open(paced: Paced, closing: Closing, openedAt: number): void {
  // One 429 at a known rate says little, even if it is not a stray.
  const isDoubtful = paced.speed.known !== null && closing.failedProbes === 0 && !closing.isNamed
  reopen(paced.speed, openedAt, measure(paced, closing, openedAt), isDoubtful)
  paced.closed = null
}
