// The pace never to be exceeded: our share of what is known to be allowed, a little below it.

/** Known rates keep 1 % below: at exactly the limit a sliding window refuses 1.6 % of calls, at 0.99 none. */
const MARGIN = 0.99
/**
 * A refusal at a rate that is known to be allowed, far from any other, was a call that the network delayed into its
 * neighbour: half a percent more for each keeps them apart. 20 ms of jitter on a window of a second need 2 %.
 */
const MARGIN_FOR_STRAY = 0.005
const LEAST_MARGIN = 0.98

export interface Ceiling {
  /** Calls a second; Infinity while no limit is known. */
  readonly perSecond: number
  /** Calls a second that are known, or stated, to be allowed to the organization. */
  readonly allowed: number
  lowerTo(allowed: number): void
  /** Keeps a little further away. */
  heedStray(): void
  /** Whether it can come no closer to explaining refusals by delays. */
  readonly isLeast: boolean
}

/** `known`: calls a second, where the user knows them. `share`: part of the limit to use, above 0 and up to 1. */
export function createCeiling(known: number | undefined, share: number): Ceiling {
  let allowed = known ?? Infinity
  let margin = MARGIN
  return {
    get perSecond() {
      return allowed * share * margin
    },
    get allowed() {
      return allowed
    },
    lowerTo: (perSecond) => {
      allowed = perSecond
    },
    heedStray: () => {
      margin = Math.max(LEAST_MARGIN, margin - MARGIN_FOR_STRAY)
    },
    get isLeast() {
      return margin <= LEAST_MARGIN
    },
  }
}
