// Time as a parameter: tests wait without waiting.

export interface Clock {
  /** Milliseconds of a monotonic clock with an arbitrary start. */
  readonly now: () => number
  /** Milliseconds since the Unix epoch. */
  readonly wall: () => number
  /** Calls `run` once after `ms` by this clock, never early. Returns the function that cancels it. */
  readonly after: (ms: number, run: () => void) => () => void
}
