// Finds a limit that is said as 503: 503s that come and go with the pace. Some in a row pause the endpoint, and
// the pace starts again as at first. A limit refuses again once the pace is back; an endpoint that was down does not.
import { EVIDENCE, MAX_PLATEAU_CALLS } from './constants.ts'
import type { Search } from './search.ts'

export interface Overload {
  /** Is the call at which 503s in a row last paused the endpoint; null if none did. */
  readonly tripped: { readonly number: number; readonly pace: number; readonly search: Search | null } | null
  /** Says that the pace is still below the one of that call. */
  readonly isStarting: boolean
  /** Says whether they come and go with the pace, and are read as 429s; null if that is not known. */
  readonly isLimit: boolean | null
  /** Counts pauses for them a few calls after the last one: a lower pace does not help. */
  readonly inVain: number
}

export const createOverload = (): Overload => ({
  tripped: null,
  isStarting: false,
  isLimit: null,
  inVain: 0,
})

export interface Busy {
  readonly number: number
  /** Says that it is the latest of some in a row, which pause the endpoint. */
  readonly isTrip: boolean
  /** Says that it would close the gate, and that it does so a few calls after the last time. */
  readonly isFirst: boolean
  readonly isSoon: boolean
}

/** Notes a 503. It is a refusal, a failure like others, starts the search again, or ends it in vain. */
export function noteBusy(
  overload: Overload,
  { number, isTrip, isFirst, isSoon }: Busy,
): { overload: Overload; reading: 'refusal' | 'failure' | 'restart' | 'in vain' } {
  const { tripped, isLimit } = overload
  const isBack = isTrip && tripped !== null && number - tripped.number < MAX_PLATEAU_CALLS
  if (isLimit === true || (isLimit === null && isBack)) {
    const repeated = isLimit === true && isSoon ? overload.inVain + 1 : 0
    const inVain = isFirst ? repeated : overload.inVain
    if (inVain > EVIDENCE) return { overload: { ...overload, isLimit: false }, reading: 'in vain' }
    return { overload: { ...overload, isStarting: false, isLimit: true, inVain }, reading: 'refusal' }
  }
  return { overload, reading: isTrip && isLimit === null ? 'restart' : 'failure' }
}
