// The pacing policy: sends evenly, closes for everybody on a refusal, lets one probe out, and sets the pace by what
// was admitted over the time in which the limit was used up (the idea of TCP Westwood and BBR) instead of halving it.
import { createAdmissions } from './admissions.ts'
import { createCapacityMeter } from './capacity.ts'
import { createClosures } from './closures.ts'
import { pauseMs, silenceMs } from './episode.ts'
import { createEvidence } from './evidence.ts'
import { createInFlightLimit } from './in-flight-limit.ts'
import type { Observation } from './observation.ts'
import type { PaceChange, Policy, Sending } from './policy.ts'
import { recall, windowOf } from './recollection.ts'
import { createSendingPace, type SendingPaceOptions } from './sending-pace.ts'
import { describeRefusal } from './unlimited-policy.ts'
import { withBreaker } from './with-breaker.ts'

export interface AdaptiveOptions extends SendingPaceOptions {
  /** Uniform in [0, 1). */
  readonly random: () => number
}

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
/** A limiter that let so many calls through since it opened is not one that is used up all the time. */
const CALLS_OF_WINDOW = 30

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

function createPacer(options: SendingPaceOptions): Policy {
  const { known, share = 1, beginning } = options
  const admissions = createAdmissions()
  if (beginning !== undefined) recall(admissions, beginning)
  const meter = createCapacityMeter(admissions, beginning === undefined ? undefined : windowOf(beginning))
  const speed = createSendingPace(options, admissions, meter)
  const inFlightLimit = createInFlightLimit(beginning?.learned.atOnce)
  const before = beginning?.learned.met
  const evidence = createEvidence({ admissions, meter, inFlightLimit, speed, before })
  const closures = createClosures()
  let gate: Gate = { kind: 'open' }
  let epoch = 0
  let refusalMs = FIRST_REFUSAL_MS
  let lastRefusalAt = -Infinity
  let sendsSinceRefusal = 0
  let toldPace = speed.perSecond

  /** Where its memory is not known yet: no bucket refuses a probe, too, after it let so many calls through. */
  const seemsShortWindow = (failedProbes: number): boolean =>
    speed.ceiling.allowed === Infinity &&
    (meter.isShort || (meter.memoryMs === 0 && failedProbes > 0)) &&
    speed.growth?.kind === 'plateau' &&
    speed.growth.sends >= CALLS_OF_WINDOW
  /** Of a limit on calls at once, too, the others keep their part. */
  const mostInFlight = (): number => Math.max(1, Math.floor(share * inFlightLimit.cap))
  const tell = (cause: string): PaceChange => {
    toldPace = speed.perSecond
    return { pace: speed.perSecond, closure: closures.current, cause, limit: evidence.describe() }
  }

  /** The probe was admitted: measure what the limit allowed, and go on a little below. */
  const open = (closed: Extract<Gate, { kind: 'closed' }>, openedAt: number, now: number): void => {
    const { failedProbes, isNamed, since: closedAt } = closed
    const measured = meter.measure({
      closedAt,
      openedAt,
      lastRefusalAt,
      failedProbes,
      isNamed,
      pace: speed.perSecond,
      capacity: speed.capacity,
      isFirst: speed.growth?.kind === 'ramp',
      mayBeAtOnce: inFlightLimit.isSuspected,
    })
    // One refusal at a rate that is known to be allowed says little even where it is no stray.
    const isDoubtful = known !== undefined && failedProbes === 0 && !isNamed
    speed.reopen({ closedAt, openedAt, now, measured, isDoubtful })
    const isTurn = meter.openedAt === openedAt
    evidence.onOpening({ at: openedAt, lastRefusalAt, capacity: speed.capacity, isTurn })
    gate = { kind: 'open' }
  }

  const onRefused = (
    now: number,
    sending: Sending,
    { namedMs, hints }: Extract<Observation, { kind: 'rateLimited' }>,
  ): PaceChange | undefined => {
    admissions.refuse(sending.handle)
    evidence.onRefusal()
    refusalMs = 0.8 * refusalMs + 0.2 * (now - sending.at)
    lastRefusalAt = Math.max(lastRefusalAt, sending.at)
    speed.onRefusal(sending.at)
    const reading = inFlightLimit.onRefusal(sending.inFlight, gate.kind === 'open' && sending.epoch === epoch)
    if (reading !== 'unexplained') {
      if (reading === 'found') speed.searchAgain(now)
      closures.close(now, Math.max(CAP_PAUSE_MS, namedMs ?? 0))
      return reading === 'found' ? tell(`429: at most ${inFlightLimit.cap} calls at once`) : undefined
    }
    if (sending.epoch !== epoch) {
      // It was under way when the gate closed: it says nothing new, but may ask for a longer wait.
      if (namedMs === undefined || namedMs === 0) return undefined
      closures.close(now, namedMs)
      return tell(describeRefusal(namedMs))
    }
    epoch += 1
    const isApart = sendsSinceRefusal >= (speed.ceiling.isLeast ? STRAY_APART_AT_LEAST_MARGIN : STRAY_APART)
    sendsSinceRefusal = 0
    if (known !== undefined && gate.kind === 'open' && (namedMs ?? 0) === 0 && isApart) {
      speed.onStray(now)
      return tell(describeRefusal(namedMs))
    }
    if (gate.kind === 'open') {
      evidence.onEpisode()
      gate = { kind: 'closed', since: now, failedProbes: 0, isNamed: false, probe: undefined }
    } else gate.failedProbes += 1
    gate.isNamed ||= (namedMs ?? 0) > 0
    gate.probe = undefined
    const pause = pauseMs({
      failedProbes: gate.failedProbes,
      closedForMs: now - gate.since,
      sinceOpeningMs: now - (meter.openedAt ?? admissions.begunAt ?? now),
      slotMs: speed.slotMs,
      memoryMs: meter.memoryMs,
      isShortWindow: seemsShortWindow(gate.failedProbes),
      namedMs,
      resetMs: hints?.resetMs,
    })
    closures.close(now, pause)
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
      return inFlight >= mostInFlight() ? Infinity : Math.max(now, speed.nextAt ?? now)
    },
    onSend: (now, inFlight) => {
      const sending = { at: now, inFlight, epoch, handle: admissions.add(now) }
      inFlightLimit.onSend(inFlight)
      sendsSinceRefusal += 1
      if (gate.kind === 'closed') gate.probe ??= sending
      speed.onSend(now, gate.kind === 'closed')
      return sending
    },
    onAnswer: (now, sending, observation) => {
      if ('hints' in observation && observation.hints !== undefined) {
        const { concurrent, policyPerSecond } = observation.hints
        if (concurrent !== undefined) inFlightLimit.heed(concurrent)
        speed.heed(policyPerSecond)
      }
      if (observation.kind === 'rateLimited') return onRefused(now, sending, observation)
      if (observation.kind === 'accepted' && observation.lateMs !== undefined)
        admissions.wasLate(sending.handle, observation.lateMs)
      if (gate.kind === 'closed' && gate.probe === sending) open(gate, sending.at, now)
      if (Math.abs(speed.perSecond / toldPace - 1) < WORTH_TELLING) return undefined
      return tell(speed.perSecond > toldPace ? 'nothing refused: faster' : 'set to what was admitted')
    },
    state: () => ({ pace: speed.perSecond, closure: closures.current }),
    learned: (now) => evidence.learned(now),
  }
}
