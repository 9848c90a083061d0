// The arithmetic of a load test's arrivals: how many threads its stages bring, and when.
import type { LoadModel, Stage } from './load.ts'

export const plannedMs = (model: LoadModel): number =>
  model.kind === 'closed'
    ? model.durationMs
    : model.stages.reduce((sum, { durationMs }) => sum + durationMs, 0)

interface ArrivalRate {
  readonly durationMs: number
  /** The integral of the rate is the expected number of threads; it may be fractional. */
  readonly expected: number
  /** Gives the milliseconds until the integral of the rate exceeds `area`; Infinity from `expected` on. */
  readonly momentOf: (area: number) => number
}

/** Rates are in threads per second and change linearly from a stage's `from` to its `to`. */
export function createArrivalRate(stages: readonly Stage[]): ArrivalRate {
  let [startMs, area] = [0, 0]
  const pieces = stages.map(({ durationMs, from, to }) => {
    const piece = { startMs, area, from, slope: (to - from) / (durationMs / 1000), durationMs }
    startMs += durationMs
    area += (((from + to) / 2) * durationMs) / 1000
    return { ...piece, end: area }
  })
  return {
    durationMs: startMs,
    expected: area,
    momentOf: (wanted) => {
      const piece = pieces.find(({ end }) => wanted < end)
      if (piece === undefined) return Infinity
      return piece.startMs + Math.min(piece.durationMs, 1000 * secondsFor(wanted - piece.area, piece))
    },
  }
}

/**
 * Solves `from * t + slope * t * t / 2 = area` for t in seconds, without cancellation for small slopes (Press
 * et al., Numerical Recipes, 5.6). Holds for slope 0.
 */
function secondsFor(area: number, { from, slope }: { from: number; slope: number }): number {
  if (area <= 0) return 0
  return (2 * area) / (from + Math.sqrt(Math.max(0, from * from + 2 * slope * area)))
}
