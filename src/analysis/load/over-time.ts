// A load test over time: counts in as many bins as a chart shows, however long it takes.
import type { LoadBin, OverTime } from '../../domain/load.ts'
import { createCounts } from '../turn-tally.ts'
import { createDurations, percentileOf } from './durations.ts'

/** Bins for the time in which threads are to arrive, and all of them: calls end after the last arrival, too. */
const PLANNED_BINS = 120
const MOST_BINS = 400

export type LoadBins = ReturnType<typeof createLoadBins>

const newBin = (inFlight: number) => ({
  started: 0,
  dropped: 0,
  calls: 0,
  refused: 0,
  answered: 0,
  errors: 0,
  /** Calls in flight: the most, and at the last moment of the bin. */
  inFlight,
  inFlightAfter: inFlight,
  responseMs: createDurations(2),
  contextSource: createCounts(),
})

/** `start`: milliseconds since the epoch. `plannedMs`: in which threads are to arrive; a bin takes 1, 2, 4, 8, … seconds of it. */
export function createLoadBins(start: number, plannedMs: number) {
  const bins: ReturnType<typeof newBin>[] = []
  const binMs = 1000 * 2 ** Math.max(0, Math.ceil(Math.log2(plannedMs / (1000 * PLANNED_BINS))))

  /** The bin of a moment, milliseconds since the epoch. */
  const at = (moment: number): ReturnType<typeof newBin> => {
    const place = Math.min(MOST_BINS - 1, Math.max(0, Math.floor((moment - start) / binMs)))
    let bin = bins[place]
    while (bin === undefined) {
      // Where no call begins or ends, those in flight stay so.
      bins.push(newBin(bins.at(-1)?.inFlightAfter ?? 0))
      bin = bins[place]
    }
    return bin
  }
  return {
    at,
    /** So many calls are in flight from this moment on. */
    fly: (moment: number, inFlight: number): void => {
      const bin = at(moment)
      bin.inFlight = Math.max(bin.inFlight, inFlight)
      bin.inFlightAfter = inFlight
    },
    finish: (): OverTime => ({ from: new Date(start).toISOString(), binMs, bins: bins.map(closeBin) }),
  }
}

function closeBin(bin: ReturnType<typeof newBin>): LoadBin {
  const { responseMs, contextSource, inFlightAfter: _, ...counts } = bin
  return {
    ...counts,
    responseMs: { p50: percentileOf(responseMs, 50), p95: percentileOf(responseMs, 95) },
    contextSource: contextSource.finish(),
  }
}
