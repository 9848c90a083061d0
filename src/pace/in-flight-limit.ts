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
/** Of calls that made it so many at once, at most these since the episode before: the others were let through. */
const MOST_SEPARABLE = 4

export interface InFlightLimit {
  /** Calls in flight at most; Infinity while no such limit is known. */
  readonly cap: number
  /** The latest refusal would fit such a limit: it may be one. */
  readonly isSuspected: boolean
  /** The endpoint states it itself. */
  heed(most: number): void
  /** `inFlight`: calls in flight with this one. */
  onSend(inFlight: number): void
  /**
   * A refusal: `inFlight` as it was when the refused call was sent. `isFirst`: it opens an episode. Returns whether
   * the cap explains it (the pace need not change), was found by it, or has nothing to do with it.
   */
  onRefusal(inFlight: number, isFirst: boolean): 'explained' | 'found' | 'unexplained'
}

/** `found`: such a limit that is known already. */
export function createInFlightLimit(found = Infinity): InFlightLimit {
  let cap = found
  let stated = Infinity
  /** Most calls in flight among those sent since the last episode. */
  let highest = 0
  let sendsAtHighest = 0
  let suspect = 0
  let agreeing = 0
  let evidence = EVIDENCE
  let sendsAtCap = 0
  let trial = FIRST_TRIAL
  let isTrying = false
  let contradictions = 0

  const drop = (): void => {
    cap = Infinity
    isTrying = false
    contradictions = 0
    evidence = Math.min(2 * evidence, MOST_EVIDENCE)
  }

  return {
    get cap() {
      return Math.min(cap, stated)
    },
    get isSuspected() {
      return agreeing > 0
    },
    heed: (most) => {
      stated = Math.max(1, most)
    },
    onSend: (inFlight) => {
      if (inFlight > highest) sendsAtHighest = 0
      if (inFlight >= highest) sendsAtHighest += 1
      highest = Math.max(highest, inFlight)
      if (inFlight < cap) return
      sendsAtCap += 1
      if (isTrying && sendsAtCap >= DISPROOF_SENDS) drop()
      else if (sendsAtCap >= trial) {
        cap += 1
        sendsAtCap = 0
        isTrying = true
      }
    },
    onRefusal: (inFlight, isFirst) => {
      if (cap < Infinity && !isTrying && (inFlight <= cap || cap <= 1)) {
        contradictions += 1
        if (contradictions >= DISPROOF_REFUSALS) drop()
      }
      if (inFlight >= cap) {
        cap = Math.max(1, Math.min(cap, inFlight - 1))
        trial = Math.min(2 * trial, LAST_TRIAL)
        isTrying = false
        sendsAtCap = 0
        return 'explained'
      }
      // Refused while alone: a limit on calls at once does not do that.
      if (inFlight <= 1) evidence = MOST_EVIDENCE
      if (!isFirst) {
        // Refused, as a probe is, with no more in flight than were let through: it was not for those.
        if (inFlight <= suspect) agreeing = 0
        return 'unexplained'
      }
      // Separable: refused with at least as many in flight as any call that was admitted lately. At an even pace the same
      // count comes up again and again; where it is the limit, hardly any call is let through at it.
      const isSeparable = inFlight >= highest && inFlight > 1 && sendsAtHighest <= MOST_SEPARABLE
      const agrees = Math.abs(inFlight - 1 - suspect) <= 1
      agreeing = isSeparable ? (agrees ? agreeing + 1 : 1) : 0
      suspect = inFlight - 1
      highest = 0
      if (agreeing < evidence) return 'unexplained'
      cap = suspect
      agreeing = 0
      trial = FIRST_TRIAL
      isTrying = false
      contradictions = 0
      sendsAtCap = 0
      return 'found'
    },
  }
}
