// A load test over time: counts in as many bins as a chart shows, however long it takes.
import type { LoadBin, OverTime } from '../../domain/load.ts'
import { createDurations, type Durations, percentileOf } from './durations.ts'
import { createValueCounts, type ValueCounts } from './turn-figures.ts'

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
