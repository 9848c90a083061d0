// When threads arrive and how long users think: fixed before the first is sent, by the options and the seed alone.
import type { LoadModel, Stage, ThinkTime } from '../../domain/load.ts'
import { openThread, type ThreadState } from '../thread-state.ts'

export interface Timetable {
  /** The moments in their order, milliseconds from the start, one at a time; undefined when there are no more. */
  next(): number | undefined
  /** When nothing arrives any more, milliseconds from the start. */
  readonly durationMs: number
}

/** Tolerance for rounding errors of the integral, so that they add no arrival. */
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
 * `random`: uniform in [0, 1). Past moments are not kept.
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

interface ArrivalRate {
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

/** What the set has of a thread. */
export type Conversation = Pick<ThreadState, 'order' | 'turns'>

/**
 * Arrival k asks thread k modulo n of the set's n, in the set's order, as repeat floor(k / n) + 1: each thread as often as
 * any other, give or take one, in a conversation of its own and with its own end user reference.
 */
export function openArrival(threads: readonly Conversation[], arrival: number): ThreadState {
  const thread = threads[arrival % threads.length]
  if (thread === undefined) throw new Error('a load test needs a thread')
  return openThread(thread.order, thread.turns, Math.floor(arrival / threads.length) + 1)
}

export interface Arrival {
  /** From 0, in the order in which they were due. */
  readonly arrival: number
  /** When it is due, milliseconds of the test's clock. */
  readonly at: number
}

interface Source {
  readonly isClosed: boolean
  /** From the start to the last moment a thread may arrive, milliseconds. */
  readonly durationMs: number
  /** The timetable's next arrival; undefined when there are no more, and where users loop. */
  next(): Arrival | undefined
  /** Moves on to the next arrival. */
  take(): void
  /** Where users loop: the first thread of each. */
  readonly atOnce: readonly Arrival[]
  /** A user is ready for another thread at that moment; undefined where the time is over by then. */
  comeBack(at: number): Arrival | undefined
}

/** `random`: uniform in [0, 1). */
export function createSource(model: LoadModel, startedAt: number, random: () => number): Source {
  let arrival = 0
  if (model.kind === 'closed') {
    const { users, durationMs } = model
    const atOnce = Array.from({ length: users }, () => ({ arrival: arrival++, at: startedAt }))
    return {
      isClosed: true,
      durationMs,
      next: () => undefined,
      take: () => undefined,
      atOnce,
      comeBack: (at) => (at - startedAt < durationMs ? { arrival: arrival++, at } : undefined),
    }
  }
  const timetable = createTimetable(model.stages, model.arrivals, random)
  const read = (): Arrival | undefined => {
    const moment = timetable.next()
    return moment === undefined ? undefined : { arrival: arrival++, at: startedAt + moment }
  }
  let next = read()
  return {
    isClosed: false,
    durationMs: timetable.durationMs,
    next: () => next,
    take: () => {
      next = read()
    },
    atOnce: [],
    comeBack: () => undefined,
  }
}

/** The standard normal quantile of 0.95: what ties a lognormal's 95th percentile to its spread. */
const Z95 = 1.6448536269514722

/** Milliseconds. `random`: uniform in [0, 1); two draws at most. */
export function drawThinkTime(thinkTime: ThinkTime, random: () => number): number {
  switch (thinkTime.kind) {
    case 'constant':
      return thinkTime.ms
    case 'uniform':
      return thinkTime.fromMs + (thinkTime.toMs - thinkTime.fromMs) * random()
    case 'lognormal': {
      const { medianMs, p95Ms } = thinkTime
      return medianMs * Math.exp((Math.log(p95Ms / medianMs) / Z95) * drawNormal(random))
    }
  }
}

/** Standard normal deviate, by Box and Muller (1958). */
function drawNormal(random: () => number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()))
  return radius * Math.cos(2 * Math.PI * random())
}

/** How long the thread of an arrival thinks next; each draws from a stream of its own, so that no answer changes another's. */
export function createThinking(
  thinkTime: ThinkTime,
  streamOf: (arrival: number) => () => number,
): (thread: object, arrival: number) => number {
  const streams = new WeakMap<object, () => number>()
  return (thread, arrival) => {
    if (thinkTime.kind === 'constant') return thinkTime.ms
    const random = streams.get(thread) ?? streamOf(arrival)
    streams.set(thread, random)
    return drawThinkTime(thinkTime, random)
  }
}
