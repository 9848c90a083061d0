// Whether calls waited in a flood for so long that the order in which the endpoint saw them is not known well enough.

/** What an ordinary network does to the moments of calls is weighed call by call. */
const ORDINARY_MS = 100
/** In the time by which calls may have been moved, a limit lets through so much of what it lets through at once. */
const BLURRED = 0.5

export const isBlurred = (networkMs: number, perSecond: number | undefined, atOnce: number): boolean =>
  networkMs > ORDINARY_MS && perSecond !== undefined && (networkMs / 1000) * perSecond > BLURRED * atOnce
