// The rate of arrivals over time as arithmetic: how many are due by a moment, and when each is.
import type { Stage } from '../../domain/load/load-options.ts'

export interface ArrivalRate {
  /** Length of all stages, milliseconds. */
  readonly durationMs: number
  /** The integral of the rate: how many threads arrive, a fraction included. */
  readonly expected: number
  /** Threads a second at most. */
  readonly peak: number
  /**
   * When the integral of the rate reaches `area`, milliseconds from the start; Infinity from `expected` on. Stretches in
   * which nothing arrives are passed over.
   */
  readonly momentOf: (area: number) => number
}

/** Rates are threads a second, and go from a stage's `from` to its `to` in a straight line. */
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
    peak: Math.max(...stages.flatMap(({ from, to }) => [from, to])),
    momentOf: (wanted) => {
      const piece = pieces.find(({ end }) => wanted < end)
      if (piece === undefined) return Infinity
      return piece.startMs + Math.min(piece.durationMs, 1000 * secondsFor(wanted - piece.area, piece))
    },
  }
}

/**
 * Solves `from * t + slope * t * t / 2 = area` for t in seconds: the root of the quadratic equation in the form that
 * loses no digits where the slope is small (Press et al., Numerical Recipes, 5.6), and is right where it is 0.
 */
function secondsFor(area: number, { from, slope }: { from: number; slope: number }): number {
  if (area <= 0) return 0
  return (2 * area) / (from + Math.sqrt(Math.max(0, from * from + 2 * slope * area)))
}
