// A load test over time: counts in as many bins as a chart shows, however long it takes.
import type { LoadBin, OverTime } from '../../domain/load.ts'
import { createDurations, type Durations, percentileOf } from './durations.ts'

/** Bins for the time in which threads are to arrive, and all of them: calls end after the last arrival, too. */
const PLANNED_BINS = 120
const MOST_BINS = 400
/** Sources told apart in each bin. */
const MOST_SOURCES = 12

type Counted = 'started' | 'dropped' | 'calls' | 'refused' | 'answered' | 'errors'

export interface OpenBin extends Record<Counted, number> {
  readonly responseMs: Durations
  readonly contextSource: ValueCounts
  /** Calls in flight: the most, and at the last moment of the bin. */
  inFlight: number
  inFlightAfter: number
}

export interface LoadBins {
  /** The bin of a moment, milliseconds since the epoch. */
  at(moment: number): OpenBin
  /** So many calls are in flight from this moment on. */
  fly(moment: number, inFlight: number): void
  finish(): OverTime
}

const newBin = (): OpenBin => ({
  started: 0,
  dropped: 0,
  calls: 0,
  refused: 0,
  answered: 0,
  errors: 0,
  inFlight: 0,
  inFlightAfter: 0,
  responseMs: createDurations(2),
  contextSource: createValueCounts(MOST_SOURCES),
})

/** `start`: milliseconds since the epoch. `plannedMs`: in which threads are to arrive; a bin takes 1, 2, 4, 8, … seconds of it. */
export function createLoadBins(start: number, plannedMs: number): LoadBins {
  const bins: OpenBin[] = []
  const binMs = 1000 * 2 ** Math.max(0, Math.ceil(Math.log2(plannedMs / (1000 * PLANNED_BINS))))

  const at = (moment: number): OpenBin => {
    const place = Math.min(MOST_BINS - 1, Math.max(0, Math.floor((moment - start) / binMs)))
    let bin = bins[place]
    while (bin === undefined) {
      // Where no call begins or ends, those in flight stay so.
      const inFlight = bins.at(-1)?.inFlightAfter ?? 0
      bins.push({ ...newBin(), inFlight, inFlightAfter: inFlight })
      bin = bins[place]
    }
    return bin
  }

  return {
    at,
    fly: (moment, inFlight) => {
      const bin = at(moment)
      bin.inFlight = Math.max(bin.inFlight, inFlight)
      bin.inFlightAfter = inFlight
    },
    finish: () => ({ from: new Date(start).toISOString(), binMs, bins: bins.map(closeBin) }),
  }
}

function closeBin(bin: OpenBin): LoadBin {
  const { responseMs, contextSource, inFlightAfter: _, ...counts } = bin
  return {
    ...counts,
    responseMs: { p50: percentileOf(responseMs, 50), p95: percentileOf(responseMs, 95) },
    contextSource: contextSource.finish(),
  }
}

export interface ValueCounts {
  add(value: string): void
  /** Most frequent first, then by value. */
  finish(): Record<string, number>
}

/** Under this name stand the values that came after `most` others. */
const OTHERS = '(others)'

/** Counts of values that the endpoint chooses: it may answer with a new one each time, and memory must not grow with the calls. */
export function createValueCounts(most = 100): ValueCounts {
  const counts = new Map<string, number>()
  return {
    add: (value) => {
      const name = counts.has(value) || counts.size < most ? value : OTHERS
      counts.set(name, (counts.get(name) ?? 0) + 1)
    },
    finish: () =>
      Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : a > b ? 1 : 0))),
  }
}
