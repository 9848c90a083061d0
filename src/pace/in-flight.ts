// Finds a limit on concurrent calls: calls are refused at the same count again, and hardly any accepted.
import { EVIDENCE, MIN_CALLS, MIN_SILENCE_MS } from './constants.ts'
import type { SentCall } from './observation.ts'

export interface InFlightLimit {
  readonly cap: Cap | null
  readonly stated: number | null
  /** Is the count that the latest episodes suggest, with how many agree. */
  readonly suspect: number
  /** Is the count of the latest accepted probe: it is not too many. */
  readonly accepted: number
  readonly agreeing: number
  readonly service: Service
}

interface Cap {
  readonly inFlight: number
  /** Counts calls at the cap since it last changed; after `trial` of them one more in flight is tried. */
  readonly calls: number
  readonly trial: number
  readonly isTrying: boolean
  /** Says that no call was refused above the cap: they waited in the endpoint's own queue. */
  readonly isSlow: boolean
}

export const createInFlightLimit = (): InFlightLimit => ({
  cap: null,
  stated: null,
  suspect: 0,
  accepted: 0,
  agreeing: 0,
  service: createService(),
})

export const capOf = ({ cap, stated }: InFlightLimit): number =>
  Math.min(cap?.inFlight ?? Infinity, stated ?? Infinity)

export function afterSend(limit: InFlightLimit, inFlight: number): InFlightLimit {
  let { cap } = limit
  // A cap that is too low grows, since nothing is refused above it.
  if (cap !== null && inFlight >= cap.inFlight)
    cap =
      cap.calls + 1 < cap.trial
        ? { ...cap, calls: cap.calls + 1 }
        : { ...cap, inFlight: cap.inFlight + 1, calls: 0, isTrying: true }
  return { ...limit, cap }
}

/** Notes an answer that took `ms` to a call; `next` is the number of the next one. */
export function afterAnswer(limit: InFlightLimit, call: SentCall, ms: number, next: number): InFlightLimit {
  const { service, cap } = noteServed(limit.service, call, ms, next)
  if (cap === undefined) return { ...limit, service }
  if (cap === null) return { ...limit, service, cap: null }
  const trial = limit.cap?.isSlow === true ? 2 * limit.cap.trial : MIN_CALLS
  return { ...limit, service, cap: { inFlight: cap, calls: 0, trial, isTrying: false, isSlow: true } }
}

/**
 * Judges a 429 to a call sent as one of `inFlight`. `isFirst`: it opens an episode. The cap explains it (the
 * pace need not change), was found by it, or does not explain it.
 */
export function afterRefusal(
  before: InFlightLimit,
  inFlight: number,
  isFirst: boolean,
): { limit: InFlightLimit; reading: 'explained' | 'found' | 'unexplained' } {
  const { cap, suspect } = before
  if (cap !== null && inFlight >= cap.inFlight && (cap.isTrying || inFlight > cap.inFlight)) {
    const lowered = Math.max(1, Math.min(cap.inFlight, inFlight - 1))
    const next = { inFlight: lowered, calls: 0, trial: 2 * cap.trial, isTrying: false, isSlow: false }
    return { limit: { ...before, cap: next }, reading: 'explained' }
  }
  // Refused with no more calls in flight than the cap: it is none.
  const limit = cap !== null && !cap.isTrying && inFlight <= cap.inFlight ? { ...before, cap: null } : before
  // A probe refused at a count that was accepted before: the count is not the reason.
  if (!isFirst)
    return { limit: inFlight <= suspect ? { ...limit, agreeing: 0 } : limit, reading: 'unexplained' }
  const isSeparable = inFlight > Math.max(1, limit.accepted)
  const isSame = inFlight - 1 === suspect
  const agreeing = !isSeparable ? 0 : isSame ? limit.agreeing + 1 : 1
  const next = { ...limit, suspect: inFlight - 1 }
  if (agreeing < EVIDENCE) return { limit: { ...next, agreeing }, reading: 'unexplained' }
  const found = { inFlight: inFlight - 1, calls: 0, trial: MIN_CALLS, isTrying: false, isSlow: false }
  return { limit: { ...next, cap: found, agreeing: 0 }, reading: 'found' }
}

// The endpoint's own queue: service times that grow with the calls in flight, since more calls only wait. Times
// are logarithms: service times are about lognormal.

export interface Service {
  /** Is the mean of the first calls' answers, with few in flight; null before it is known. */
  readonly base: { readonly time: number; readonly inFlight: number } | null
  /** Are of the latest answers; `spread` is their mean deviation. */
  readonly time: number
  readonly spread: number
  readonly inFlight: number
  /** Is the most calls in flight at which a call was sent that is answered. */
  readonly reached: number
  /** Collects answers of calls sent from that number on; a cap is void if they take as long as `max`. */
  readonly sample: Sample | null
}

interface Sample {
  readonly from: number
  readonly calls: number
  readonly sum: number
  readonly max: number
}

export const createService = (): Service => ({
  base: null,
  time: 0,
  spread: 0,
  inFlight: 0,
  reached: 0,
  sample: { from: 0, calls: 0, sum: 0, max: Infinity },
})

/**
 * Notes an answer to a call that took `ms`; `next` is the number of the next call. The cap is how many calls
 * in flight keep the endpoint busy, undefined if that is not seen; null says that the last one did not help.
 */
export function noteServed(
  before: Service,
  call: SentCall,
  ms: number,
  next: number,
): { service: Service; cap?: number | null } {
  const time = Math.log(Math.max(1, ms))
  const isFirst = before.reached === 0
  const latest: Service = {
    ...before,
    reached: Math.max(before.reached, call.inFlight),
    time: isFirst ? time : smooth(before.time, time),
    spread: isFirst ? 0 : smooth(before.spread, Math.abs(time - before.time)),
    inFlight: isFirst ? call.inFlight : smooth(before.inFlight, call.inFlight),
  }
  if (latest.sample !== null) return noteSample(latest, latest.sample, call.number, time)
  const { base } = latest
  const isQueue = base !== null && latest.inFlight >= 2 * base.inFlight && isSlow(latest, base.time)
  // As many calls in flight are no queue where answers were as fast.
  if (base !== null && latest.inFlight > base.inFlight && latest.time <= base.time)
    return { service: { ...latest, base: { ...base, inFlight: latest.inFlight } } }
  if (!isQueue) return { service: latest }
  // Little's law: calls in flight are the throughput times the service time. A quarter more keeps all busy.
  const cap = Math.max(1, Math.ceil(1.25 * latest.inFlight * Math.exp(base.time - latest.time)))
  // Halfway back at the least.
  const sample = { from: next, calls: 0, sum: 0, max: (base.time + latest.time) / 2 }
  return { service: { ...latest, sample }, cap }
}

function noteSample(latest: Service, sample: Sample, number: number, time: number) {
  // Of the calls sent first, not of those answered first: these are the fast ones.
  const isOf = number >= sample.from && number < sample.from + MIN_CALLS
  const next = isOf ? { ...sample, calls: sample.calls + 1, sum: sample.sum + time } : sample
  const isWhole = next.calls === MIN_CALLS || (next.calls > 0 && number >= sample.from + 4 * MIN_CALLS)
  if (!isWhole) return { service: { ...latest, sample: next } }
  const mean = next.sum / next.calls
  const service = { ...latest, time: mean, sample: null }
  const base = { time: mean, inFlight: latest.inFlight }
  // Answers stay slow with few calls in flight: the endpoint is slower now, whatever is sent.
  if (latest.base !== null && mean > sample.max) return { service: { ...service, base }, cap: null }
  return { service: { ...service, base: latest.base ?? base } }
}

const smooth = (before: number, value: number): number => before + (value - before) / 4

/** Says that answers take at least twice as long as before, and longer than they differ. */
const isSlow = ({ time, spread }: Service, base: number): boolean =>
  time - base > Math.LN2 + spread && Math.exp(time) - Math.exp(base) > MIN_SILENCE_MS
