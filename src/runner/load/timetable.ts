// Arrival and think times of a load test. They depend on the options and the seed alone.
import { createArrivalRate } from '../../domain/arrivals.ts'
import type { Stage, ThinkTime } from '../../domain/load.ts'
import { openThread, type ThreadState } from '../thread-state.ts'

/** Bounds the relative error of the integral, so that rounding adds no arrival. */
const ROUNDING = 1e-9

/**
 * Lets thread i, from 0, arrive when the integral of the rate reaches i, so 2/s for 30 s means 60 threads at
 * 0, 0.5, … 29.5 s. Stages work as in k6: the rate changes linearly to the stage's target. `--arrival-rate
 * 2/s --stages 30s:5/s,1m:5/s` starts at 2 threads per second, reaches 5 after 30 s, and stays there for a
 * minute: 105 and 300 threads. The first stage starts at 0 without `--arrival-rate`; `--arrival-rate 2/s
 * --duration 30s` is one flat stage.
 */
export function createTimetable(stages: readonly Stage[]) {
  const { durationMs, expected, momentOf } = createArrivalRate(stages)
  const last = expected - ROUNDING * Math.max(1, expected)
  let area = 0
  return {
    durationMs,
    /** Gives the next arrival, in milliseconds from the start; undefined after the last. */
    next: (): number | undefined => {
      if (area >= last) return undefined
      const moment = momentOf(area)
      area += 1
      return moment
    },
  }
}

/** Sends with arrival k thread k modulo n of n threads, as repeat floor(k / n) + 1: a new conversation. */
export function openArrival(threads: readonly ThreadState[], arrival: number): ThreadState {
  const thread = threads[arrival % threads.length]
  if (thread === undefined) throw new Error('a load test needs a thread')
  return openThread(thread.order, thread.turns, Math.floor(arrival / threads.length) + 1)
}

/** Is the 95th percentile of the standard normal distribution. */
const Z95 = 1.6448536269514722

/** Draws a thread's think times, in milliseconds, from a stream of its own: answers do not affect others. */
export function createThinkTimes(
  thinkTime: ThinkTime,
  streamOf: (arrival: number) => () => number,
): (thread: object, arrival: number) => number {
  const streams = new WeakMap<object, () => number>()
  return (thread, arrival) => {
    if (thinkTime.kind === 'constant') return thinkTime.ms
    const random = streams.get(thread) ?? streamOf(arrival)
    streams.set(thread, random)
    if (thinkTime.kind === 'uniform') return thinkTime.fromMs + (thinkTime.toMs - thinkTime.fromMs) * random()
    // A standard normal deviate, by Box and Muller (1958).
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    const { medianMs, p95Ms } = thinkTime
    return medianMs * Math.exp((Math.log(p95Ms / medianMs) / Z95) * normal)
  }
}
