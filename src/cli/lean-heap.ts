// Keeps the heap near what is in use, for runs so large that garbage would weigh more than all that is kept of them.
import { existsSync, statSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'

/** Bytes of what is to be read from which on it is worth the time that collecting more often takes: some ten thousand turns. */
const LARGE = 2 ** 22

/**
 * By how much the old generation may grow before it is collected, in percent: left to itself V8 lets it grow to several times
 * what is in use, as the machine has the memory. V8 reads these flags whenever it decides; most others only when it starts.
 */
const GROWTH = 25
/** The young generation stays at the megabyte that it starts with: what is read passes through it, and little of it stays. */
const YOUNG_GROWTH = 1

/** `paths`: what is going to be read; files that are not there weigh nothing. */
export function keepHeapLean(paths: readonly string[]): void {
  const bytes = paths.reduce((sum, path) => sum + (existsSync(path) ? statSync(path).size : 0), 0)
  if (bytes < LARGE) return
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`)
  setFlagsFromString(`--semi-space-growth-factor=${YOUNG_GROWTH}`)
}
