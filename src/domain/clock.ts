// Time as a parameter: tests wait without waiting.

export interface Clock {
  /** Milliseconds of a monotonic clock with an arbitrary start. */
  readonly now: () => number
  /** Milliseconds since the Unix epoch. */
  readonly wall: () => number
  /** Calls `run` once after `ms` by this clock, never early. Returns the function that cancels it. */
  readonly after: (ms: number, run: () => void) => () => void
}

export interface AnchoredClock extends Clock {
  /** Converts a time of the clock to milliseconds since the epoch. */
  readonly wallOf: (moment: number) => number
}

/**
 * Reads the wall clock once and derives all later times from the monotonic clock: what lies between two
 * written times is a duration, although the wall clock may be set meanwhile.
 */
export function anchorClock(clock: Clock): AnchoredClock {
  const [startedAt, wallAtStart] = [clock.now(), clock.wall()]
  // Microseconds: further digits are noise.
  const wallOf = (moment: number): number => Math.round((wallAtStart + moment - startedAt) * 1000) / 1000
  return { now: () => clock.now(), wall: () => wallOf(clock.now()), after: clock.after.bind(clock), wallOf }
}
