// When threads arrive: fixed before the first is sent, by stages and seed alone.
import type { Stage } from '../../domain/load/load-options.ts'
import { createArrivalRate } from './arrival-rate.ts'

export interface Timetable {
  /** The moments in their order, milliseconds from the start, one at a time; undefined when there are no more. */
  next(): number | undefined
  /** When nothing arrives any more, milliseconds from the start. */
  readonly durationMs: number
}

/** An integral that should be whole may miss it by its last digits: no arrival of its own comes of that. */
const ROUNDING = 1e-9

/**
 * `constant`: thread i, from 0, arrives when the integral of the rate reaches i: the first at once, so that 2/s for 30 s
 * are 60 threads at 0, 0.5, … 29.5 s. `poisson`: when it reaches the i-th sum of exponential gaps of mean 1, the time change
 * that makes a Poisson process of any rate (Çinlar, Introduction to Stochastic Processes, 1975, 4.7).
 *
 * Stages are k6's: the rate goes in a straight line from where it was to the stage's target. `--arrival-rate 2/s
 * --stages 30s:5/s,1m:5/s` starts at 2 threads a second, is at 5 after 30 s, and stays there for a minute: 105 and
 * 300 threads. Without `--arrival-rate` the first stage starts at 0; `--arrival-rate 2/s --duration 30s` is one flat stage.
 *
 * `random`: uniform in [0, 1). Nothing is kept of moments gone by.
 */
export function createTimetable(
  stages: readonly Stage[],
  arrivals: 'constant' | 'poisson',
  random: () => number,
): Timetable {
  const { durationMs, expected, momentOf } = createArrivalRate(stages)
  const last = expected - ROUNDING * Math.max(1, expected)
  const gap = arrivals === 'constant' ? () => 1 : () => -Math.log(1 - random())
  let area = arrivals === 'constant' ? 0 : gap()
  return {
    durationMs,
    next: () => {
      if (area >= last) return undefined
      const moment = momentOf(area)
      area += gap()
      return moment
    },
  }
}
