// Finds a limit on concurrent calls: calls are refused at the same count again, and hardly any accepted.
import { EVIDENCE, MIN_CALLS } from './constants.ts'
import { createService, noteServed, type Service } from './service.ts'

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
export function afterAnswer(
  limit: InFlightLimit,
  call: Parameters<typeof noteServed>[1],
  ms: number,
  next: number,
): InFlightLimit {
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
