// Time as a parameter: tests wait without waiting.

export interface Clock {
  /** The clock is monotonic, in milliseconds from an arbitrary start. */
  readonly now: () => number
  readonly wall: () => number
  /** Never calls early by this clock. Returns the function that cancels. */
  readonly after: (ms: number, run: () => void) => () => void
}
