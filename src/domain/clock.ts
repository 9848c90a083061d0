// Time as a parameter, so that waiting can be tested without waiting.

export interface Clock {
  /** Milliseconds of a monotonic clock with an arbitrary start. */
  readonly now: () => number
  /** Milliseconds since the Unix epoch. */
  readonly wall: () => number
  /** Calls `run` once after `ms` milliseconds, never early by this clock; returns the cancelling function. */
  readonly after: (ms: number, run: () => void) => () => void
}
