// The pacing policy: sends evenly, closes for everybody on a refusal, lets one probe out, and sets the pace by what
// was admitted over the time in which the limit was used up (the idea of TCP Westwood and BBR) instead of halving it.
import type { InferredLimit } from '../domain/limit.ts'
import { createAdmissions } from './admissions.ts'
import { createBreaker } from './breaker.ts'
import { createCapacityMeter } from './capacity.ts'
import { pauseMs } from './episode.ts'
import { grow, type Growth } from './growth.ts'
import type { Hints } from './hints.ts'
import { createInFlightLimit } from './in-flight-limit.ts'
import type { Observation } from './observation.ts'
import type { Closure, PaceChange, Policy, Sending } from './policy.ts'
import { describeRefusal } from './unlimited-policy.ts'

export interface AdaptiveOptions {
  /** Calls a second that the limit allows, where it is known: no ramp, never faster. */
  readonly known?: number
  /** Calls a second to begin with where it is not. */
  readonly start?: number
  /** Part of the limit to use at most, above 0 and up to 1: the rest is for others. */
  readonly share?: number
  /** Uniform in [0, 1). */
  readonly random: () => number
}

/** Known rates keep 1 % below: at exactly the limit a sliding window refuses 1.6 % of calls, at 0.99 none. */
const MARGIN = 0.99
const START_PER_SECOND = 4
/** After an opening the pace begins this far below the measured capacity. */
const RETURN_BELOW = 0.97
/** Length of the plateau: so much of what the limiter remembers, at least these calls, growing with quiet runs. */
const PLATEAU_OF_MEMORY = 0.4
const SHORTEST_PLATEAU = 15
const LONGEST_GROWN_PLATEAU = 150
/** Where each refusal costs a long named wait, the next one is put off for so many waits' worth of calls. */
const PLATEAU_OF_MISLED_WAIT = 5
/** A probe without a refusal by then was admitted: answers take seconds, refusals do not. */
const SILENCE_OF_ROUND_TRIPS = 4
const SHORTEST_SILENCE_MS = 300
const LONGEST_SILENCE_MS = 3000
const FIRST_REFUSAL_MS = 100
/** After a refusal for too many calls at once, until one of them has been answered. */
const CAP_PAUSE_MS = 50
/** A change of pace smaller than this is not worth a line in the journal. */
const WORTH_TELLING = 0.1

/** With a share of the limit only: it is taken as known after so many openings, or so many calls without a refusal. */
const OPENINGS_TO_SETTLE = 3
const SENDS_TO_SETTLE = 60
const STRAY_CUT = 0.97

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
  const { known, start = START_PER_SECOND, share = 1, random } = options
  let processes = 1
  /** Calls a second that are known, or stated, to be allowed to all processes together. */
  let allowed = known ?? Infinity
  const ceiling = (): number => (allowed * share * MARGIN) / processes
  const admissions = createAdmissions()
  const meter = createCapacityMeter(admissions)
  const inFlightLimit = createInFlightLimit()
  const breaker = createBreaker(random)
  let pace = known === undefined ? start : ceiling()
  let capacity = pace
  let growth: Growth | undefined =
    known === undefined ? { kind: 'ramp', sends: 0, since: undefined } : undefined
  let gate: Gate = { kind: 'open' }
  let closure: Closure | undefined
  let nextAt: number | undefined
  let epoch = 0
  let refusalMs = FIRST_REFUSAL_MS
  let lastRefusalAt = -Infinity
  let toldPace = pace
  let [episodes, refusals, openings] = [0, 0, 0]
  let burst: number | undefined
  let isStated = false

  const slotMs = (): number => 1000 / pace
  const describeLimit = (): InferredLimit | undefined => {
    const { cap } = inFlightLimit
    const isAtOnce = cap < Infinity
    // A limit that never opened again has shown nothing of what it lets through.
    if (openings === 0 && !isStated && !isAtOnce) return undefined
    const { memoryMs } = meter
    return {
      kind: isAtOnce ? 'at-once' : isStated ? 'stated' : memoryMs > 0 ? 'window' : 'rate',
      perSecond: isAtOnce ? null : capacity * processes,
      windowMs: memoryMs > 0 ? memoryMs : null,
      burst: burst ?? null,
      atOnce: isAtOnce ? cap : null,
      episodes,
      refusals,
    }
  }
  const close = (now: number, ms: number, named: boolean): void => {
    if (closure === undefined || closure.until < now + ms) closure = { from: now, until: now + ms, named }
  }
  const tell = (cause: string): PaceChange => {
    toldPace = pace
    return { pace, closure, cause, limit: describeLimit() }
  }

  /** A stated policy lowers a pace, and ends the search for it; it never raises one that the user gave. */
  const heed = ({ policyPerSecond, concurrent }: Hints): void => {
    if (concurrent !== undefined) inFlightLimit.heed(concurrent)
    if (policyPerSecond === undefined || (known !== undefined && policyPerSecond >= known)) return
    if (policyPerSecond === allowed) return
    allowed = policyPerSecond
    isStated = true
    if (growth?.kind !== 'ramp' && pace <= ceiling()) return
    pace = ceiling()
    capacity = policyPerSecond / processes
    growth = undefined
    // What was sent before the policy was known has used up some of it already.
    const { firstAt = 0 } = admissions
    nextAt = Math.max(nextAt ?? 0, firstAt + admissions.count(firstAt, Infinity) * slotMs())
  }

  /** Who leaves a part of the limit to others keeps to his part, and does not feel for the edge again. */
  const settle = (): void => {
    growth = undefined
    pace = Math.min(ceiling(), share * capacity)
  }

  /** The probe was admitted: measure what the limit allowed, and go on a little below. */
  const open = (closed: Extract<Gate, { kind: 'closed' }>, openedAt: number): void => {
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
    })
    // One refusal at a rate that is known to be allowed was a call that the network delayed into its neighbour.
    const isStray = known !== undefined && failedProbes === 0 && !isNamed
    capacity = isStray ? Math.max(measured.capacity, STRAY_CUT * capacity) : measured.capacity
    const firstAt = admissions.firstAt ?? openedAt
    const passed = admissions.count(firstAt, lastRefusalAt)
    burst ??= Math.max(0, Math.round(passed - (capacity * (lastRefusalAt - firstAt)) / 1000))
    pace = Math.min(ceiling(), RETURN_BELOW * capacity)
    openings += 1
    const length = Math.max(
      SHORTEST_PLATEAU,
      (PLATEAU_OF_MEMORY * meter.memoryMs * capacity) / 1000,
      Math.min(LONGEST_GROWN_PLATEAU, sends),
      measured.isMisled ? (PLATEAU_OF_MISLED_WAIT * (openedAt - closedAt) * capacity) / 1000 : 0,
    )
    growth = {
      kind: 'plateau',
      capacity,
      length,
      since: openedAt,
      returnTo: measured.returnTo,
      sends: 0,
      stepSends: 0,
    }
    if (share < 1 && openings >= OPENINGS_TO_SETTLE) settle()
    gate = { kind: 'open' }
    nextAt = openedAt + slotMs() / 2
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
    const reading = inFlightLimit.onRefusal(sending.inFlight, gate.kind === 'open' && sending.epoch === epoch)
    if (reading !== 'unexplained') {
      if (reading === 'found') {
        growth = { kind: 'ramp', sends: 0, since: now }
        pace = Math.max(pace, capacity)
      }
      close(now, Math.max(CAP_PAUSE_MS, namedMs ?? 0), (namedMs ?? 0) > CAP_PAUSE_MS)
      return reading === 'found' ? tell(`429: at most ${inFlightLimit.cap} calls at once`) : undefined
    }
    if (sending.epoch !== epoch) {
      // It was under way when the gate closed: it says nothing new, but may ask for a longer wait.
      if (namedMs === undefined || namedMs === 0) return undefined
      close(now, namedMs, true)
      return tell(describeRefusal(namedMs))
    }
    epoch += 1
    if (gate.kind === 'open') episodes += 1
    if (gate.kind === 'open')
      gate = { kind: 'closed', since: now, failedProbes: 0, isNamed: false, probe: undefined }
    else gate.failedProbes += 1
    gate.isNamed ||= (namedMs ?? 0) > 0
    gate.probe = undefined
    const pause = pauseMs({
      failedProbes: gate.failedProbes,
      closedForMs: now - gate.since,
      sinceOpeningMs: now - (meter.openedAt ?? admissions.firstAt ?? now),
      slotMs: slotMs(),
      memoryMs: meter.memoryMs,
      namedMs,
      resetMs: hints?.resetMs,
    })
    close(now, pause, (namedMs ?? 0) >= pause)
    return tell(describeRefusal(namedMs))
  }

  return {
    nextSendAt: (now, inFlight) => {
      if (closure !== undefined && now < closure.until) return closure.until
      if (gate.kind === 'closed' && gate.probe !== undefined) {
        const silence = Math.max(SHORTEST_SILENCE_MS, SILENCE_OF_ROUND_TRIPS * refusalMs)
        const until = gate.probe.at + Math.min(LONGEST_SILENCE_MS, silence)
        if (now < until) return until
        open(gate, gate.probe.at)
      }
      return inFlight >= inFlightLimit.cap ? Infinity : Math.max(now, nextAt ?? now)
    },
    onSend: (now, inFlight) => {
      const dueAt = nextAt ?? now
      const isPaced = now - dueAt < slotMs()
      // Up to half a slot of lateness is made good, for a known rate none: idle time is never repaid in a burst.
      nextAt = Math.max(dueAt, known === undefined ? now - slotMs() / 2 : now) + slotMs()
      const sending = { at: now, inFlight, epoch, handle: admissions.add(now) }
      inFlightLimit.onSend(inFlight)
      if (gate.kind === 'closed') gate.probe ??= sending
      else if (isPaced && growth !== undefined) pace = Math.min(ceiling(), grow(growth, pace, now))
      if (share < 1 && growth?.kind === 'plateau' && growth.sends >= SENDS_TO_SETTLE) settle()
      return sending
    },
    onAnswer: (now, sending, observation) => {
      if ('hints' in observation && observation.hints !== undefined) heed(observation.hints)
      if (observation.kind === 'rateLimited') return onRefused(now, sending, observation)
      if (gate.kind === 'closed' && gate.probe === sending) open(gate, sending.at)
      if (observation.kind === 'failed') {
        // A failure says nothing of the limit: it does not cut the pace, but enough of them close the gate.
        const pause = breaker.onFailure(observation.reached, observation.cause)
        if (pause === undefined || (closure !== undefined && closure.until > now)) return undefined
        close(now, pause.ms, false)
        return tell(pause.cause)
      }
      if (observation.kind === 'accepted' && breaker.onSuccess()) return tell('calls are taken again')
      if (Math.abs(pace / toldPace - 1) < WORTH_TELLING) return undefined
      return tell(pace > toldPace ? 'nothing refused: faster' : 'set to what was admitted')
    },
    splitAmong: (others) => {
      const factor = processes / others
      processes = others
      if (factor === 1) return undefined
      // What was measured was measured for another number of processes.
      capacity *= factor
      if (growth?.kind === 'plateau') growth = { ...growth, capacity: growth.capacity * factor, returnTo: 0 }
      pace = Math.min(ceiling(), pace * factor)
      return tell(others === 1 ? 'alone on the limit' : `${others} processes share the limit`)
    },
    state: () => ({ pace, closure }),
  }
}
