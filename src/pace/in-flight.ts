// Detects a limit on concurrent calls instead of a rate limit.

/** Consecutive episodes that must agree. */
const EVIDENCE = 3
/** Calls at the cap before one more in flight is tried; doubled with each 429 to it. */
const FIRST_TRIAL = 30
const LAST_TRIAL = 3200
/** This many calls above the cap without a 429 disprove it, as a 429 below it does. */
const DISPROOF_SENDS = 15
/** Maximum calls at the highest count since the previous episode; with more, they were accepted there. */
const MOST_SEPARABLE = 4

export interface InFlightLimit {
  /** The detected limit; null if none. */
  cap: Cap | null
  /** Stated by the endpoint. */
  stated: number | null
  /** Most calls in flight since the last episode, and how many calls were sent at that count. */
  highest: number
  sendsAtHighest: number
  /** The count that the latest episodes suggest, and how many agree. */
  suspect: number
  agreeing: number
}

interface Cap {
  calls: number
  /** Calls sent at the cap since it last changed; after `trial` of them one more in flight is tried. */
  sends: number
  trial: number
  isTrying: boolean
}

export const createInFlightLimit = (): InFlightLimit => ({
  cap: null,
  stated: null,
  highest: 0,
  sendsAtHighest: 0,
  suspect: 0,
  agreeing: 0,
})

/** Maximum calls in flight; Infinity if no such limit is known. */
export const capOf = ({ cap, stated }: InFlightLimit): number =>
  Math.min(cap?.calls ?? Infinity, stated ?? Infinity)

/** `inFlight`: calls in flight, this one included. */
export function noteSend(limit: InFlightLimit, inFlight: number): void {
  if (inFlight > limit.highest) limit.sendsAtHighest = 0
  if (inFlight >= limit.highest) limit.sendsAtHighest += 1
  limit.highest = Math.max(limit.highest, inFlight)
  const { cap } = limit
  if (cap === null || inFlight < cap.calls) return
  cap.sends += 1
  if (cap.isTrying && cap.sends >= DISPROOF_SENDS) limit.cap = null
  else if (cap.sends >= cap.trial) Object.assign(cap, { calls: cap.calls + 1, sends: 0, isTrying: true })
}

/**
 * A 429. `inFlight`: when its call was sent. `isFirst`: it opens an episode. Returns whether the cap explains it (the pace need
 * not change), was found by it, or does not explain it.
 */
export function noteRefusal(
  limit: InFlightLimit,
  inFlight: number,
  isFirst: boolean,
): 'explained' | 'found' | 'unexplained' {
  const { cap } = limit
  if (cap !== null && !cap.isTrying && inFlight <= cap.calls) limit.cap = null
  if (limit.cap !== null && inFlight >= limit.cap.calls) {
    const calls = Math.max(1, Math.min(limit.cap.calls, inFlight - 1))
    const trial = Math.min(2 * limit.cap.trial, LAST_TRIAL)
    limit.cap = { ...limit.cap, calls, trial, sends: 0, isTrying: false }
    return 'explained'
  }
  if (!isFirst) {
    // A probe was refused at a count that was accepted before: the count is not the reason.
    if (inFlight <= limit.suspect) limit.agreeing = 0
    return 'unexplained'
  }
  // Separable: refused with at least as many in flight as any call accepted lately. At an even pace the same count recurs; if it is
  // the limit, hardly any call is accepted at it.
  const isSeparable = inFlight >= limit.highest && inFlight > 1 && limit.sendsAtHighest <= MOST_SEPARABLE
  const agrees = Math.abs(inFlight - 1 - limit.suspect) <= 1
  if (!isSeparable) limit.agreeing = 0
  else limit.agreeing = agrees ? limit.agreeing + 1 : 1
  limit.suspect = inFlight - 1
  limit.highest = 0
  if (limit.agreeing < EVIDENCE) return 'unexplained'
  limit.cap = { calls: limit.suspect, sends: 0, trial: FIRST_TRIAL, isTrying: false }
  limit.agreeing = 0
  return 'found'
}
