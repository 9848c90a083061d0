// The time of a run across a chart, and its hours in words; all of UTC.
import { timeAxis, type Axis } from '../charts/scales.ts'

/** Of eight or twelve signs no more fit beside each other on a telephone. */
const MOST_TICKS = 3

/** Shorter than this too few whole seconds lie in it for two labels. */
const SHORT = 2000

/** Milliseconds, seconds, hours or days on the ticks, as the run is long. Milliseconds since the epoch. */
export function axisOfRun(start: number, end: number): Axis {
  const length = end - start
  const [unit, format] =
    length < 180_000
      ? length < SHORT
        ? ([1, clockWithMilliseconds] as const)
        : ([1000, clockWithSeconds] as const)
      : length < 172_800_000
        ? ([60_000, length < 86_400_000 ? clock : dayAndClock] as const)
        : ([86_400_000, dayOf] as const)
  return timeAxis(start, end, { most: MOST_TICKS, unit, format })
}

const clockWithMilliseconds = (at: number): string => new Date(at).toISOString().slice(11, 23)
export const clockWithSeconds = (at: number): string => new Date(at).toISOString().slice(11, 19)
const clock = (at: number): string => new Date(at).toISOString().slice(11, 16)
/** `21, 06:00`: where an hour comes twice. */
const dayAndClock = (at: number): string => `${new Date(at).toISOString().slice(8, 10)}, ${clock(at)}`
const dayOf = (at: number): string => new Date(at).toISOString().slice(5, 10)
