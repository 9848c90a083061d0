// Closes the gate after failures in a row: an endpoint that is down is not hammered.

/** Backoff of the whole organization: full jitter over a doubling ceiling (AWS Architecture Blog, 2015). */
const BASE_MS = 1000
const CAP_MS = 60_000
/** A probe at once would meet the same failure. */
const LEAST_MS = 250
/** This many ambiguous failures in a row, of any thread, close the gate; a missing connection does at once. */
const FAILURES_TO_CLOSE = 3

export interface Breaker {
  /** Milliseconds to close the gate for after this failure, and why; undefined: not yet. */
  onFailure(reached: boolean, cause: string): { readonly ms: number; readonly cause: string } | undefined
  /** Returns whether the breaker was open until now. */
  onSuccess(): boolean
}

/** `random`: uniform in [0, 1). */
export function createBreaker(random: () => number): Breaker {
  let failures = 0
  return {
    onFailure: (reached, cause) => {
      failures = reached ? failures + 1 : Math.max(failures + 1, FAILURES_TO_CLOSE)
      if (failures < FAILURES_TO_CLOSE) return undefined
      const ms = LEAST_MS + backoffMs(failures - FAILURES_TO_CLOSE, random)
      return {
        ms,
        cause: reached ? `${failures} failures in a row, last ${cause}` : `no connection: ${cause}`,
      }
    },
    onSuccess: () => {
      const wasOpen = failures >= FAILURES_TO_CLOSE
      failures = 0
      return wasOpen
    },
  }
}

/** Full jitter; `round` counts from 0. */
export function backoffMs(round: number, random: () => number): number {
  return random() * Math.min(CAP_MS, BASE_MS * 2 ** round)
}
