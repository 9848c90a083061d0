// Finds out whether the endpoint limits calls at once instead of calls in a time.

/** Episodes in a row that must agree; more after each time that the finding was wrong. */
const EVIDENCE = 3
const MOST_EVIDENCE = 12
/** Calls at the cap before one more is tried, doubling with each refusal of it. */
const FIRST_TRIAL = 30
const LAST_TRIAL = 3200
/** So many calls above a cap without a refusal: it was none. So many refusals below it: likewise. */
const DISPROOF_SENDS = 15
const DISPROOF_REFUSALS = 2
/** Of calls that made it so many at once, at most these since the episode before: the others were accepted. */
const MOST_SEPARABLE = 4

export interface InFlightLimit {
  /** Found here; null while no such limit is known. */
  cap: Cap | null
  /** The endpoint states it itself. */
  stated: number | null
  /** Most calls in flight among those sent since the last episode, and how many made it so many. */
  highest: number
  sendsAtHighest: number
  /** The count that the latest episodes suggest, and how many of them agree; so many must. */
  suspect: number
  agreeing: number
  evidence: number
}

interface Cap {
  calls: number
  /** Calls sent at the cap since it last changed; after `trial` of them one more is tried. */
  sends: number
  trial: number
  isTrying: boolean
  /** Refusals below it. */
  contradictions: number
}

export const createInFlightLimit = (): InFlightLimit => ({
  cap: null,
  stated: null,
  highest: 0,
  sendsAtHighest: 0,
  suspect: 0,
  agreeing: 0,
  evidence: EVIDENCE,
})

/** Calls in flight at most; Infinity while no such limit is known. */
export const capOf = ({ cap, stated }: InFlightLimit): number =>
  Math.min(cap?.calls ?? Infinity, stated ?? Infinity)

/** The latest refusal would fit such a limit: it may be one. */
export const isSuspected = ({ agreeing }: InFlightLimit): boolean => agreeing > 0

/** `inFlight`: calls in flight with this one. */
export function noteSend(limit: InFlightLimit, inFlight: number): void {
  if (inFlight > limit.highest) limit.sendsAtHighest = 0
  if (inFlight >= limit.highest) limit.sendsAtHighest += 1
  limit.highest = Math.max(limit.highest, inFlight)
  const { cap } = limit
  if (cap === null || inFlight < cap.calls) return
  cap.sends += 1
  if (cap.isTrying && cap.sends >= DISPROOF_SENDS) drop(limit)
  else if (cap.sends >= cap.trial) Object.assign(cap, { calls: cap.calls + 1, sends: 0, isTrying: true })
}

/**
 * A refusal: `inFlight` as it was when the refused call was sent. `isFirst`: it opens an episode. Returns whether
 * the cap explains it (the pace need not change), was found by it, or has nothing to do with it.
 */
export function noteRefusal(
  limit: InFlightLimit,
  inFlight: number,
  isFirst: boolean,
): 'explained' | 'found' | 'unexplained' {
  const { cap } = limit
  if (cap !== null && !cap.isTrying && (inFlight <= cap.calls || cap.calls <= 1)) {
    cap.contradictions += 1
    if (cap.contradictions >= DISPROOF_REFUSALS) drop(limit)
  }
  if (limit.cap !== null && inFlight >= limit.cap.calls) {
    const { calls, trial } = limit.cap
    Object.assign(limit.cap, {
      calls: Math.max(1, Math.min(calls, inFlight - 1)),
      sends: 0,
      trial: Math.min(2 * trial, LAST_TRIAL),
      isTrying: false,
    })
    return 'explained'
  }
  // Refused while alone: a limit on calls at once does not do that.
  if (inFlight <= 1) limit.evidence = MOST_EVIDENCE
  if (!isFirst) {
    // Refused, as a probe is, with no more in flight than were accepted: it was not for those.
    if (inFlight <= limit.suspect) limit.agreeing = 0
    return 'unexplained'
  }
  // Separable: refused with at least as many in flight as any call that was admitted lately. At an even pace the same
  // count comes up again and again; where it is the limit, hardly any call is accepted at it.
  const isSeparable = inFlight >= limit.highest && inFlight > 1 && limit.sendsAtHighest <= MOST_SEPARABLE
  const agrees = Math.abs(inFlight - 1 - limit.suspect) <= 1
  if (!isSeparable) limit.agreeing = 0
  else limit.agreeing = agrees ? limit.agreeing + 1 : 1
  limit.suspect = inFlight - 1
  limit.highest = 0
  if (limit.agreeing < limit.evidence) return 'unexplained'
  limit.cap = { calls: limit.suspect, sends: 0, trial: FIRST_TRIAL, isTrying: false, contradictions: 0 }
  limit.agreeing = 0
  return 'found'
}

function drop(limit: InFlightLimit): void {
  limit.cap = null
  limit.evidence = Math.min(2 * limit.evidence, MOST_EVIDENCE)
}
