// The pacing policy: sends evenly, closes for everybody on a refusal, lets one probe out, and sets the pace by what
// was admitted over the time in which the limit was used up (the idea of TCP Westwood and BBR) instead of halving it.
import type { InferredLimit } from '../domain/limit.ts'
import { createAdmissions } from './admissions.ts'
import { createCapacityMeter } from './capacity.ts'
import { createCatchUp } from './catch-up.ts'
import { createCeiling } from './ceiling.ts'
import { createClosures } from './closures.ts'
import { pauseMs, silenceMs } from './episode.ts'
import { grow, plateauAt, RETURN_BELOW, type Growth } from './growth.ts'
import type { Hints } from './hints.ts'
import { createInFlightLimit } from './in-flight-limit.ts'
import type { Beginning } from './learned.ts'
import { createLimitLog } from './limit-description.ts'
import type { Observation } from './observation.ts'
import type { PaceChange, Policy, Sending } from './policy.ts'
import { goOn, recall, recentOf, windowOf } from './recollection.ts'
import { describeRefusal } from './unlimited-policy.ts'
import { withBreaker } from './with-breaker.ts'

export interface AdaptiveOptions {
  /** Calls a second that the limit allows, where it is known: no ramp, never faster. */
  readonly known?: number
  /** Calls a second to begin with where it is not. */
  readonly start?: number
  /** Part of the limit to use at most, above 0 and up to 1: the rest is for others. */
  readonly share?: number
  /** What another policy has learned of this limit: no ramp, where it met it. */
  readonly beginning?: Beginning | undefined
  /** Uniform in [0, 1). */
  readonly random: () => number
}

const START_PER_SECOND = 4
const FIRST_REFUSAL_MS = 100
/** After a refusal for too many calls at once, until one of them has been answered. */
const CAP_PAUSE_MS = 50
/** A change of pace smaller than this is not worth a line in the journal. */
const WORTH_TELLING = 0.1
/**
 * At a known rate a refusal with fewer calls than this since the one before is no stray; once no more distance is kept
 * for strays they must be rarer, or a rate that was stated a little too high would be refused for ever.
 */
const STRAY_APART = 10
const STRAY_APART_AT_LEAST_MARGIN = 200
const DOUBTFUL_CUT = 0.97
/** A limiter that let so many calls through since it opened is not one that is used up all the time. */
const CALLS_OF_WINDOW = 30

/**
 * With a share of the limit only: it is taken as known after so many openings and calls since it was met, or so many
 * calls without a refusal.
 */
const OPENINGS_TO_SETTLE = 3
const CALLS_TO_SETTLE = 40
const SENDS_TO_SETTLE = 60

type Gate =
  | { readonly kind: 'open' }
  | {
      readonly kind: 'closed'
      readonly since: number
      failedProbes: number
      isNamed: boolean
      probe: Sending | undefined
    }

export function createAdaptivePolicy(options: AdaptiveOptions): Policy {
  return withBreaker(createPacer(options), options.random)
}

function createPacer(options: Omit<AdaptiveOptions, 'random'>): Policy {
  const { known, start = START_PER_SECOND, share = 1, beginning } = options
  const ceiling = createCeiling(known, share)
  const admissions = createAdmissions()
  if (beginning !== undefined) recall(admissions, beginning)
  const meter = createCapacityMeter(admissions, beginning === undefined ? undefined : windowOf(beginning))
  const limitLog = createLimitLog(admissions)
  const inFlightLimit = createInFlightLimit(beginning?.learned.atOnce)
  /** The ramp, too, leaves the others their part. */
  const gone = beginning === undefined ? undefined : goOn(beginning, ceiling.perSecond, share)
  let pace = Math.min(ceiling.perSecond, gone?.pace ?? (known === undefined ? start * share : Infinity))
  let capacity = gone?.capacity ?? pace
  let growth: Growth | undefined =
    gone === undefined && known === undefined ? { kind: 'ramp', sends: 0, since: undefined } : gone?.growth
  let gate: Gate = { kind: 'open' }
  const closures = createClosures()
  const catchUp = createCatchUp()
  let nextAt: number | undefined
  let epoch = 0
  let refusalMs = FIRST_REFUSAL_MS
  let lastRefusalAt = -Infinity
  let firstRefusalAt: number | undefined
  let sendsSinceRefusal = 0
  let toldPace = pace
  let [episodes, refusals, openings] = [0, 0, 0]
  let isStated = false

  const slotMs = (): number => 1000 / pace
  /** No rate is known or stated: nothing is promised that a call a little sooner would break. */
  const isSearching = (): boolean => ceiling.allowed === Infinity
  /** Where its memory is not known yet: no bucket refuses a probe, too, after it let so many calls through. */
  const seemsShortWindow = (failedProbes: number): boolean =>
    isSearching() &&
    (meter.isShort || (meter.memoryMs === 0 && failedProbes > 0)) &&
    growth?.kind === 'plateau' &&
    growth.sends >= CALLS_OF_WINDOW
  const isMet = (): boolean =>
    openings > 0 || isStated || (gone !== undefined && beginning?.learned.capacity !== undefined)
  /** Of a limit on calls at once, too, the others keep their part. */
  const mostInFlight = (): number => Math.max(1, Math.floor(share * inFlightLimit.cap))
  const describeLimit = (): InferredLimit | undefined =>
    limitLog.describe({
      capacity,
      processes: ceiling.processes,
      memoryMs: meter.memoryMs,
      cap: inFlightLimit.cap,
      isStated,
      episodes,
      refusals,
    })
  const tell = (cause: string): PaceChange => {
    toldPace = pace
    return { pace, closure: closures.current, cause, limit: describeLimit() }
  }

  /** A stated policy lowers a pace, and ends the search for it; it never raises one that the user gave. */
  const heed = ({ policyPerSecond, concurrent }: Hints): void => {
    if (concurrent !== undefined) inFlightLimit.heed(concurrent)
    if (policyPerSecond === undefined || (known !== undefined && policyPerSecond >= known)) return
    if (policyPerSecond === ceiling.allowed) return
    ceiling.lowerTo(policyPerSecond)
    isStated = true
    if (growth?.kind !== 'ramp' && pace <= ceiling.perSecond) return
    pace = ceiling.perSecond
    capacity = policyPerSecond / ceiling.processes
    growth = undefined
    // What was sent before the policy was known has used up some of it already.
    const { firstAt = 0 } = admissions
    nextAt = Math.max(nextAt ?? 0, firstAt + admissions.count(firstAt, Infinity) * slotMs())
  }

  /**
   * Who leaves a part of the limit to others keeps to his part, and does not feel for the edge again. What finding it
   * took beyond that part, since it was first met, is given back.
   */
  const settle = (): void => {
    growth = undefined
    pace = Math.min(ceiling.perSecond, share * capacity)
    const metAt = firstRefusalAt ?? 0
    nextAt = Math.max(nextAt ?? 0, metAt + admissions.count(metAt, Infinity) * slotMs())
  }

  /** The probe was admitted: measure what the limit allowed, and go on a little below. */
  const open = (closed: Extract<Gate, { kind: 'closed' }>, openedAt: number, now: number): void => {
    const isFirst = growth?.kind === 'ramp'
    const sends = growth?.kind === 'plateau' ? growth.sends : 0
    const { failedProbes, isNamed, since: closedAt } = closed
    const measured = meter.measure({
      closedAt,
      openedAt,
      lastRefusalAt,
      failedProbes,
      isNamed,
      pace,
      capacity,
      isFirst,
      mayBeAtOnce: inFlightLimit.isSuspected,
    })
    // One refusal at a rate that is known to be allowed says little even where it is no stray.
    const isDoubtful = known !== undefined && failedProbes === 0 && !isNamed
    capacity = isDoubtful ? Math.max(measured.capacity, DOUBTFUL_CUT * capacity) : measured.capacity
    limitLog.onOpening({ at: openedAt, lastRefusalAt, capacity, isTurn: meter.openedAt === openedAt })
    pace = Math.min(ceiling.perSecond, RETURN_BELOW * capacity)
    openings += 1
    growth = plateauAt(openedAt, {
      capacity,
      returnTo: measured.returnTo,
      memoryMs: meter.memoryMs,
      sends,
      misledMs: measured.isMisled ? openedAt - closedAt : 0,
    })
    gate = { kind: 'open' }
    nextAt = openedAt + slotMs() / 2
    catchUp.owe(meter.isShort ? now - openedAt - slotMs() : 0)
    const metAt = firstRefusalAt ?? openedAt
    if (share < 1 && openings >= OPENINGS_TO_SETTLE && admissions.count(metAt, openedAt) >= CALLS_TO_SETTLE)
      settle()
  }

  const onRefused = (
    now: number,
    sending: Sending,
    { namedMs, hints }: Extract<Observation, { kind: 'rateLimited' }>,
  ): PaceChange | undefined => {
    admissions.refuse(sending.handle)
    refusals += 1
    refusalMs = 0.8 * refusalMs + 0.2 * (now - sending.at)
    lastRefusalAt = Math.max(lastRefusalAt, sending.at)
    firstRefusalAt ??= sending.at
    const reading = inFlightLimit.onRefusal(sending.inFlight, gate.kind === 'open' && sending.epoch === epoch)
    if (reading !== 'unexplained') {
      if (reading === 'found') {
        growth = { kind: 'ramp', sends: 0, since: now }
        pace = Math.max(pace, capacity)
      }
      closures.close(now, Math.max(CAP_PAUSE_MS, namedMs ?? 0), (namedMs ?? 0) > CAP_PAUSE_MS)
      return reading === 'found' ? tell(`429: at most ${inFlightLimit.cap} calls at once`) : undefined
    }
    if (sending.epoch !== epoch) {
      // It was under way when the gate closed: it says nothing new, but may ask for a longer wait.
      if (namedMs === undefined || namedMs === 0) return undefined
      closures.close(now, namedMs, true)
      return tell(describeRefusal(namedMs))
    }
    epoch += 1
    const isApart = sendsSinceRefusal >= (ceiling.isLeast ? STRAY_APART_AT_LEAST_MARGIN : STRAY_APART)
    sendsSinceRefusal = 0
    if (known !== undefined && gate.kind === 'open' && (namedMs ?? 0) === 0 && isApart) {
      ceiling.heedStray()
      pace = Math.min(pace, ceiling.perSecond)
      nextAt = Math.max(nextAt ?? now, now + slotMs())
      return tell(describeRefusal(namedMs))
    }
    if (gate.kind === 'open') episodes += 1
    if (gate.kind === 'open')
      gate = { kind: 'closed', since: now, failedProbes: 0, isNamed: false, probe: undefined }
    else gate.failedProbes += 1
    gate.isNamed ||= (namedMs ?? 0) > 0
    gate.probe = undefined
    const pause = pauseMs({
      failedProbes: gate.failedProbes,
      closedForMs: now - gate.since,
      sinceOpeningMs: now - (meter.openedAt ?? admissions.begunAt ?? now),
      slotMs: slotMs(),
      memoryMs: meter.memoryMs,
      isShortWindow: seemsShortWindow(gate.failedProbes),
      namedMs,
      resetMs: hints?.resetMs,
    })
    closures.close(now, pause, (namedMs ?? 0) >= pause)
    return tell(describeRefusal(namedMs))
  }

  return {
    nextSendAt: (now, inFlight) => {
      if (closures.current !== undefined && closures.isClosed(now)) return closures.current.until
      if (gate.kind === 'closed' && gate.probe !== undefined) {
        const until = gate.probe.at + silenceMs(refusalMs, seemsShortWindow(gate.failedProbes))
        if (now < until) return until
        open(gate, gate.probe.at, now)
      }
      return inFlight >= mostInFlight() ? Infinity : Math.max(now, nextAt ?? now)
    },
    onSend: (now, inFlight) => {
      const dueAt = nextAt ?? now
      const isPaced = now - dueAt < slotMs()
      // Up to half a slot of lateness is made good, for a known rate none: idle time is never repaid in a burst.
      nextAt = Math.max(dueAt, known === undefined ? now - slotMs() / 2 : now) + slotMs()
      if (growth !== undefined && isSearching()) nextAt -= catchUp.take(slotMs())
      const sending = { at: now, inFlight, epoch, handle: admissions.add(now) }
      inFlightLimit.onSend(inFlight)
      sendsSinceRefusal += 1
      if (gate.kind === 'closed') gate.probe ??= sending
      else if (isPaced && growth !== undefined) pace = Math.min(ceiling.perSecond, grow(growth, pace, now))
      if (share < 1 && growth?.kind === 'plateau' && growth.sends >= SENDS_TO_SETTLE) settle()
      return sending
    },
    onAnswer: (now, sending, observation) => {
      if ('hints' in observation && observation.hints !== undefined) heed(observation.hints)
      if (observation.kind === 'rateLimited') return onRefused(now, sending, observation)
      if (observation.kind === 'accepted' && observation.lateMs !== undefined)
        admissions.wasLate(sending.handle, observation.lateMs)
      if (gate.kind === 'closed' && gate.probe === sending) open(gate, sending.at, now)
      if (Math.abs(pace / toldPace - 1) < WORTH_TELLING) return undefined
      return tell(pace > toldPace ? 'nothing refused: faster' : 'set to what was admitted')
    },
    splitAmong: (others) => {
      const factor = ceiling.processes / others
      ceiling.splitAmong(others)
      if (factor === 1) return undefined
      // What was measured was measured for another number of processes.
      capacity *= factor
      if (growth?.kind === 'plateau') growth = { ...growth, capacity: growth.capacity * factor, returnTo: 0 }
      pace = Math.min(ceiling.perSecond, pace * factor)
      return tell(others === 1 ? 'alone on the limit' : `${others} processes share the limit`)
    },
    state: () => ({ pace, closure: closures.current }),
    learned: (now) => ({
      pace: pace * ceiling.processes,
      capacity: isMet() ? capacity * ceiling.processes : undefined,
      sustained:
        describeLimit()?.perSecond ?? (gone === undefined ? undefined : beginning?.learned.sustained),
      memoryMs: meter.memoryMs,
      atOnce: inFlightLimit.cap < Infinity ? inFlightLimit.cap : undefined,
      recent: recentOf(admissions, meter.openedAt, now),
    }),
  }
}
