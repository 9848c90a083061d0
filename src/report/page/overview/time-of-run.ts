// The time of a run across a chart, and its hours in words; all of UTC.
import { timeAxis, type Axis } from '../charts/scales.ts'

const TICKS = 4

/** Seconds, hours or days on the ticks, as the run is long. Milliseconds since the epoch. */
export function axisOfRun(start: number, end: number): Axis {
  const format = end - start < 180_000 ? clockWithSeconds : end - start < 172_800_000 ? clock : dayOf
  return timeAxis(start, end, TICKS, format)
}

export const clockWithSeconds = (at: number): string => new Date(at).toISOString().slice(11, 19)
const clock = (at: number): string => new Date(at).toISOString().slice(11, 16)
const dayOf = (at: number): string => new Date(at).toISOString().slice(5, 10)
