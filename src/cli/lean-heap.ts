// Keeps the heap near what is in use, for runs so large that garbage would weigh more than all that is kept of them.
import { setFlagsFromString } from 'node:v8'

/** Turns from which on it is worth the time that collecting more often takes. */
const LARGE = 50_000

/**
 * By how much the old generation may grow before it is collected, in percent: left to itself V8 lets it grow to several times
 * what is in use, as the machine has the memory. V8 reads the flag whenever it decides; others it reads only when it starts.
 */
const GROWTH = 25

export function keepHeapLean(turns: number): void {
  if (turns >= LARGE) setFlagsFromString(`--heap-growing-percent=${GROWTH}`)
}
