// Finds a limit on concurrent calls: calls are refused at the same count again, and hardly any accepted.
import { EVIDENCE, MIN_CALLS, MIN_SILENCE_MS } from './constants.ts'
import type { SentCall } from './observation.ts'

export interface InFlightLimit {
  readonly cap: Cap | null
  readonly stated: number | null
  /** Is the count that the latest episodes suggest, with how many agree. */
  readonly suspect: number
  readonly agreeing: number
  readonly service: Service
}

interface Cap {
  readonly inFlight: number
  /** Counts calls at the cap since it last changed; after `trial` of them one more in flight is tried. */
  readonly calls: number
  readonly trial: number
  readonly isTrying: boolean
  /** Is what was seen where no call was refused above the cap: they waited in the endpoint's own queue. */
  readonly slow: { readonly ms: number; readonly inFlight: number; readonly baseMs: number } | null
}

export const createInFlightLimit = (): InFlightLimit => ({
  cap: null,
  stated: null,
  suspect: 0,
  agreeing: 0,
  service: {
    base: { time: 0, inFlight: 0, calls: 0 },
    time: 0,
    spread: 0,
    inFlight: 0,
    reached: 0,
    from: 0,
  },
})

export const capOf = ({ cap, stated }: InFlightLimit): number =>
  Math.min(cap?.inFlight ?? Infinity, stated ?? Infinity)

/** Gives our share of the limit; a count that 429s suggest is one only once a call more was refused, too. */
export function shareOfCap({ cap, stated }: InFlightLimit, share: number): number {
  const isSure = cap !== null && (cap.slow !== null || cap.trial > MIN_CALLS)
  const most = Math.min((isSure ? share : 1) * (cap?.inFlight ?? Infinity), share * (stated ?? Infinity))
  return Math.max(1, Math.floor(most))
}

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
  const { service, cap = limit.cap } = noteServed(limit.service, call, ms, next)
  // Accepted with more in flight than one that was refused: the count was not the reason. One more may have
  // met a call that had ended, whose answer was on its way.
  const agreeing = call.inFlight > limit.suspect + 1 ? 0 : limit.agreeing
  return { ...limit, service, cap, agreeing }
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
    const next = { inFlight: lowered, calls: 0, trial: 2 * cap.trial, isTrying: false, slow: null }
    return { limit: { ...before, cap: next }, reading: 'explained' }
  }
  // Refused with no more calls in flight than the cap: it is none.
  const limit = cap !== null && !cap.isTrying && inFlight <= cap.inFlight ? { ...before, cap: null } : before
  // A probe refused at a count that was accepted before: the count is not the reason.
  if (!isFirst)
    return { limit: inFlight <= suspect ? { ...limit, agreeing: 0 } : limit, reading: 'unexplained' }
  // A call that was refused alone is no matter of concurrency.
  const agreeing = inFlight === 1 ? 0 : inFlight - 1 === suspect ? limit.agreeing + 1 : 1
  const next = { ...limit, suspect: inFlight - 1 }
  if (agreeing < EVIDENCE) return { limit: { ...next, agreeing }, reading: 'unexplained' }
  const found = { inFlight: inFlight - 1, calls: 0, trial: MIN_CALLS, isTrying: false, slow: null }
  return { limit: { ...next, cap: found, agreeing: 0 }, reading: 'found' }
}

// The endpoint's own queue: service times that grow with the calls in flight, since more calls only wait.
// Times are logarithms: service times are about lognormal.

interface Service {
  /** Is the mean of the first calls' answers, with few in flight, and how many they are. */
  readonly base: { readonly time: number; readonly inFlight: number; readonly calls: number }
  /** Are of the latest answers; `spread` is their mean deviation. */
  readonly time: number
  readonly spread: number
  readonly inFlight: number
  /** Is the most calls in flight at which a call was sent that is answered. */
  readonly reached: number
  /** Is the first call that was sent under the latest cap: earlier ones are answered as slowly as before. */
  readonly from: number
}

/**
 * Notes an answer to a call that took `ms`; `next` is the number of the next call. The cap is how many calls
 * in flight keep the endpoint busy, if more of them wait.
 */
function noteServed(
  before: Service,
  { number, inFlight }: SentCall,
  ms: number,
  next: number,
): { service: Service; cap?: Cap } {
  if (number < before.from) return { service: before }
  const { base } = before
  const time = Math.log(Math.max(1, ms))
  const isFirst = before.reached === 0
  const latest: Service = {
    ...before,
    reached: Math.max(before.reached, inFlight),
    time: isFirst ? time : smooth(before.time, time),
    spread: isFirst ? 0 : smooth(before.spread, Math.abs(time - before.time)),
    inFlight: isFirst ? inFlight : smooth(before.inFlight, inFlight),
  }
  if (base.calls < MIN_CALLS && number < 4 * MIN_CALLS) {
    // Of the calls sent first, not of those answered first: these are the fast ones.
    if (number >= MIN_CALLS) return { service: latest }
    const calls = base.calls + 1
    const mean = base.time + (time - base.time) / calls
    return { service: { ...latest, time: mean, base: { time: mean, inFlight: latest.inFlight, calls } } }
  }
  // As many calls in flight are no queue where answers were as fast.
  if (latest.inFlight > base.inFlight && latest.time <= base.time)
    return { service: { ...latest, base: { ...base, inFlight: latest.inFlight } } }
  const [baseMs, slowMs] = [Math.exp(base.time), Math.exp(latest.time)]
  // At least twice as long as before, and longer than they differ.
  const isSlow = latest.time - base.time > Math.LN2 + latest.spread && slowMs - baseMs > MIN_SILENCE_MS
  if (!isSlow || base.calls === 0 || latest.inFlight < 2 * base.inFlight) return { service: latest }
  // Little's law: calls in flight are the throughput times the service time. A quarter more keeps all busy.
  const most = Math.max(1, Math.ceil((1.25 * latest.inFlight * baseMs) / slowMs))
  const slow = { ms: slowMs, inFlight: latest.inFlight, baseMs }
  return {
    service: { ...latest, time: base.time, inFlight: most, from: next },
    cap: { inFlight: most, calls: 0, trial: MIN_CALLS, isTrying: false, slow },
  }
}

const smooth = (before: number, value: number): number => before + (value - before) / 4
