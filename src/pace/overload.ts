// Finds a limit that is said as 503: 503s that pause the endpoint as failures do, and again soon after it is
// back. An endpoint that was down answers then.
import { EVIDENCE, MAX_PLATEAU_CALLS } from './constants.ts'

export interface Overload {
  /** Is the call at which 503s in a row last paused the endpoint; null if none did. */
  readonly trippedAt: number | null
  /** Says whether they are a limit, and are read as 429s; null if that is not known. */
  readonly isLimit: boolean | null
  /** Counts pauses for them a few calls after the last one: a lower pace does not help. */
  readonly inVain: number
}

/**
 * Notes a 503 to call `number`. `isTrip`: it is the latest of some in a row, which pause the endpoint;
 * `isFirst`: it would close the gate; `isSoon`: it would do so a few calls after the last time.
 */
export function noteBusy(
  before: Overload,
  number: number,
  { isTrip, isFirst, isSoon }: Readonly<Record<'isTrip' | 'isFirst' | 'isSoon', boolean>>,
): Overload {
  const { trippedAt, isLimit } = before
  if (isLimit === null) {
    const isBack = isTrip && trippedAt !== null && number - trippedAt < MAX_PLATEAU_CALLS
    return isBack ? { ...before, isLimit: true } : { ...before, trippedAt: isTrip ? number : trippedAt }
  }
  if (!isLimit || !isFirst) return before
  const inVain = isSoon ? before.inVain + 1 : 0
  return { ...before, inVain, isLimit: inVain <= EVIDENCE }
}
