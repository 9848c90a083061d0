// Local times of a zone to UTC, by the zone's own rules.
import { offsetOf } from './time.ts'

export interface Zone {
  readonly name: string
  /** Milliseconds since the epoch. A time that the clocks show twice is taken as the first. */
  readonly toUtc: (local: number) => number
  /** Whether the clocks show it twice. */
  readonly isTwice: (local: number) => boolean
}

const MINUTE = 60_000
const DAY = 86_400_000
/** No zone changes its clocks within a quarter of an hour. */
const QUARTER = 15 * MINUTE

/** `UTC`, `+02:00`, `Europe/Berlin`; undefined for what is no zone. */
export function findZone(name: string): Zone | undefined {
  const text = name.trim()
  if (/^(Z|UTC|GMT)$/i.test(text)) return fixed('UTC', 0)
  if (/^(UTC|GMT)?[+-]\d{1,2}(:?\d{2})?$/i.test(text)) return fixed(text, offsetOf(text) ?? 0)
  try {
    return named(text)
  } catch {
    return undefined
  }
}

const fixed = (name: string, minutes: number): Zone => ({
  name,
  toUtc: (local) => local - minutes * MINUTE,
  isTwice: () => false,
})

/** Throws RangeError where the name is none of a zone. */
function named(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const offsetAt = (utc: number): number => {
    const parts = Object.fromEntries(
      format.formatToParts(utc).map(({ type, value }) => [type, Number(value)]),
    )
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(utc / 1000) * 1000
  }
  const known = new Map<number, readonly number[]>()
  /** What the clocks may be ahead of UTC at this local time, the most first; in a gap what they were before. */
  const offsetsAt = (local: number): readonly number[] => {
    const quarter = Math.floor(local / QUARTER)
    const found = known.get(quarter)
    if (found !== undefined) return found
    const [before, after] = [offsetAt(local - DAY), offsetAt(local + DAY)]
    const fitting = [...new Set([before, after])].filter((one) => offsetAt(local - one) === one)
    const offsets = fitting.length === 0 ? [before] : fitting.sort((a, b) => b - a)
    known.set(quarter, offsets)
    return offsets
  }
  return {
    name,
    toUtc: (local) => local - (offsetsAt(local)[0] ?? 0),
    isTwice: (local) => offsetsAt(local).length > 1,
  }
}
