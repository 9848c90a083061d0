// Others on the same limit: they show as refusals that come too soon, now by more and now by less. Their calls are taken to
// arrive at random (a Poisson process), so that their number scatters by its own square root.
import type { Calls } from './calls.ts'
import type { Closure } from './closures.ts'
import type { Range } from './fit.ts'
import { Z95 } from '../../stats/interval.ts'

/** How many of ours the limit let through when it closed, and how much time others had had by then. */
export interface Crossing {
  readonly passed: number
  readonly elapsedMs: number
}

export interface Shared {
  /** The limit's whole number. */
  readonly size: Range
  /** Calls of others in a millisecond. */
  readonly perMs: Range
}

const FEWEST = 4
const LEAST_ELAPSED = 0.02

/**
 * Fixed windows: what is ours falls with the time into the window, passed = size − rate · elapsed, scattered by the root of
 * what the others sent. Weighted least squares (weights are one by the variance), with its usual standard errors.
 */
export function sharedWindow(crossings: readonly Crossing[], windowMs: number): Shared | undefined {
  if (crossings.length < FEWEST) return undefined
  const sums = { w: 0, x: 0, y: 0, xx: 0, xy: 0 }
  for (const { passed, elapsedMs } of crossings) {
    const x = elapsedMs
    const w = 1 / Math.max(x, LEAST_ELAPSED * windowMs)
    sums.w += w
    sums.x += w * x
    sums.y += w * passed
    sums.xx += w * x * x
    sums.xy += w * x * passed
  }
  const determinant = sums.w * sums.xx - sums.x * sums.x
  if (determinant <= 0) return undefined
  const perMs = -(sums.w * sums.xy - sums.x * sums.y) / determinant
  if (perMs <= 0) return undefined
  const size = (sums.y + perMs * sums.x) / sums.w
  // The variance of one crossing is what the others sent, by their own law.
  const rateError = Z95 * Math.sqrt((perMs * sums.w) / determinant)
  const sizeError = Z95 * Math.sqrt((perMs * sums.xx) / determinant)
  return { size: around(size, sizeError), perMs: around(perMs, rateError) }
}

/**
 * Sliding windows: others always had the whole window, so that only the scatter tells them: passed = size − others, the
 * variance of which is their number (Poisson), read over crossings at least a window apart.
 */
export function sharedLog(crossings: readonly Crossing[], windowMs: number): Shared | undefined {
  if (crossings.length < FEWEST) return undefined
  const counts = crossings.map(({ passed }) => passed)
  const mean = counts.reduce((sum, one) => sum + one, 0) / counts.length
  const variance = counts.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (counts.length - 1)
  // What we got ourselves is the least that it allows.
  const error = Z95 * Math.sqrt((2 * variance ** 2) / (counts.length - 1) + variance / counts.length)
  return {
    size: { ...around(mean + variance, error), low: mean },
    perMs: divide(around(variance, error), windowMs),
  }
}

/**
 * Buckets: between two moments at which the bucket was empty, what we got is what it gained less what others took: the
 * scatter of that around its mean is theirs. `size`: what the bucket holds; stretches in which it may have been full
 * lost some of what it gained, and are left out.
 */
export function sharedBucket(calls: Calls, closures: readonly Closure[], size: number): Shared | undefined {
  const stretches = stretchesBetween(calls, closures, size)
  if (stretches.length < FEWEST) return undefined
  const passed = stretches.reduce((sum, one) => sum + one.passed, 0)
  const elapsedMs = stretches.reduce((sum, one) => sum + one.elapsedMs, 0)
  const ours = passed / elapsedMs
  const scatter = stretches.reduce((sum, one) => sum + (one.passed - ours * one.elapsedMs) ** 2, 0)
  // Whole calls alone scatter by a sixth at the two ends together.
  const whole = (stretches.length - 1) / 6
  const perMs = Math.max(0, scatter - whole) / (elapsedMs * (1 - 1 / stretches.length))
  // Scatter so wide is no traffic, but another kind of limit.
  if (perMs <= 0 || perMs > MOST_OF_OURS * ours) return undefined
  const error = Z95 * perMs * Math.sqrt(2 / (stretches.length - 1))
  const meanError = Z95 * Math.sqrt(perMs / elapsedMs)
  // What we got ourselves is the least that it allows.
  const gained = around(ours + perMs, Math.hypot(error, meanError))
  return { size: { ...gained, low: Math.min(gained.low, ours) }, perMs: around(perMs, error) }
}

const STRETCHES = 40
const MOST_OF_OURS = 2
/** Part of the bucket that may fill up before it counts as full, by a first reckoning. */
const NOT_FULL = 0.8

/** From refusal to refusal, joined to so many stretches of like length. */
function stretchesBetween(calls: Calls, closures: readonly Closure[], size: number): Crossing[] {
  const pieces = closures.slice(1).flatMap((to, place): Crossing[] => {
    const from = closures[place]
    if (from === undefined) return []
    const elapsedMs = to.lastRefusedAt - from.lastRefusedAt
    const passed = (calls.passedBefore[to.last] ?? 0) - (calls.passedBefore[from.last] ?? 0)
    return elapsedMs > 0 ? [{ passed, elapsedMs }] : []
  })
  const ours = middleRate(pieces)
  const kept = pieces.filter((one) => one.elapsedMs * ours < NOT_FULL * Math.max(2, size) + one.passed)
  const least = kept.reduce((sum, one) => sum + one.elapsedMs, 0) / STRETCHES
  const joined: Crossing[] = []
  let [passed, elapsedMs] = [0, 0]
  for (const one of kept) {
    passed += one.passed
    elapsedMs += one.elapsedMs
    if (elapsedMs < least) continue
    joined.push({ passed, elapsedMs })
    ;[passed, elapsedMs] = [0, 0]
  }
  return joined
}

/** The rate of the middle piece, each weighing by its time. */
function middleRate(pieces: readonly Crossing[]): number {
  const sorted = pieces.toSorted((a, b) => a.passed / a.elapsedMs - b.passed / b.elapsedMs)
  const half = pieces.reduce((sum, one) => sum + one.elapsedMs, 0) / 2
  let elapsed = 0
  for (const { passed, elapsedMs } of sorted) {
    elapsed += elapsedMs
    if (elapsed >= half) return passed / elapsedMs
  }
  return 0
}

const around = (value: number, error: number): Range => ({
  value,
  low: Math.max(0, value - error),
  high: value + error,
})
const divide = ({ value, low, high }: Range, by: number): Range => ({
  value: value / by,
  low: low / by,
  high: high / by,
})
