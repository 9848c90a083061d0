// What was let through at least: the rate of the record as a whole, however it came.
import type { Calls } from './calls.ts'

/** Undefined for fewer than two calls let through. */
export function heldRate({ passedAt }: Calls): { perSecond: number; forMs: number } | undefined {
  const forMs = (passedAt.at(-1) ?? 0) - (passedAt[0] ?? 0)
  if (passedAt.length < 2 || forMs <= 0) return undefined
  return { perSecond: ((passedAt.length - 1) * 1000) / forMs, forMs }
}
