// Counts of durations in bins that widen with them, as HdrHistogram has them: little memory, whatever the number of samples.
import type { Latency } from '../../domain/summary.ts'

/** A day; what is longer counts as one. Microseconds. */
export const LONGEST = 86_400_000_000

export interface HdrCounts {
  /** Milliseconds; below nothing, where a clock was set back, is nothing. */
  record(ms: number): void
  /** Adds what another of the same precision holds. */
  add(other: HdrCounts): void
  /** What the share `p` (0 < p ≤ 1) of the samples does not exceed, in milliseconds; null without samples. */
  at(p: number): number | null
  readonly count: number
  readonly digits: 2 | 3
  latency(): Latency
  /** Each bin that holds samples, shortest first: the shortest duration that counts in it, whole microseconds. */
  bins(): Iterable<{ readonly microseconds: number; readonly count: number }>
  readonly max: number
  readonly sum: number
}

/**
 * Whole microseconds up to a day to 2 or 3 significant digits, after Gil Tene's HdrHistogram: up to `2·half` a bin each
 * (half = 128 or 1024); from there on `half` bins for each doubling, so that a bin is never wider than 1/half of what it
 * holds. Percentiles are the longest duration of the bin at the nearest rank, as HdrHistogram gives them, or the longest
 * sample where that is shorter; `max`, `mean` and `count` are exact. Own code for its speed alone (a record takes a
 * twentieth of hdr-histogram-js's): the bins are the library's, which a test holds them against, and which encodes them.
 */
export function createHdrCounts(digits: 2 | 3 = 3): HdrCounts {
  const half = digits === 3 ? 1024 : 128
  const bits = digits === 3 ? 10 : 7
  let counts = new Uint32Array(2 * half)
  let [count, sum, max, highest] = [0, 0, 0, -1]

  const grow = (place: number): void => {
    const wider = new Uint32Array(half * (Math.floor(place / half) + 1))
    wider.set(counts)
    counts = wider
  }
  const put = (place: number, more: number): void => {
    if (place >= counts.length) grow(place)
    counts[place] = (counts[place] ?? 0) + more
    if (place > highest) highest = place
  }
  /** The doubling that a place lies in, and the first microsecond that counts there. */
  const widthAt = (place: number): number => 2 ** Math.max(0, Math.floor(place / half) - 1)
  const startOf = (place: number): number => {
    const doubling = Math.max(0, Math.floor(place / half) - 1)
    return (place - doubling * half) * 2 ** doubling
  }

  const at = (p: number): number | null => {
    if (count === 0) return null
    // Rounding noise must not lift 0.95 × 20 over 19.
    const rank = Math.max(1, Math.ceil(Number((p * count).toFixed(6))))
    let seen = 0
    for (let place = 0; place <= highest; place += 1) {
      seen += counts[place] ?? 0
      if (seen >= rank) return Math.min(toMicroseconds(max), (startOf(place) + widthAt(place) - 1) / 1000)
    }
    return toMicroseconds(max)
  }

  return {
    digits,
    record: (ms) => {
      const known = Math.max(0, ms)
      const microseconds = Math.min(LONGEST, Math.round(known * 1000))
      put(placeOf(microseconds, bits), 1)
      count += 1
      sum += known
      if (known > max) max = known
    },
    add: (other) => {
      for (const bin of other.bins()) put(placeOf(bin.microseconds, bits), bin.count)
      count += other.count
      sum += other.sum
      max = Math.max(max, other.max)
    },
    at,
    get count() {
      return count
    },
    get max() {
      return max
    },
    get sum() {
      return sum
    },
    latency: () => ({
      p50: at(0.5),
      p90: at(0.9),
      p95: at(0.95),
      p99: at(0.99),
      max: count === 0 ? null : toMicroseconds(max),
      mean: count === 0 ? null : toMicroseconds(sum / count),
      count,
    }),
    *bins() {
      for (let place = 0; place <= highest; place += 1) {
        const found = counts[place] ?? 0
        if (found > 0) yield { microseconds: startOf(place), count: found }
      }
    },
  }
}

/** Number of the bin. Shifts hold 32 bits, and a day has 37: what is longer than half an hour goes the long way. */
function placeOf(microseconds: number, bits: number): number {
  if (microseconds < 2 ** 31) {
    const doubling = Math.max(0, 31 - Math.clz32(microseconds) - bits)
    return (doubling << bits) + (microseconds >>> doubling)
  }
  const high = Math.floor(microseconds / 2 ** 32)
  const log = high > 0 ? 63 - Math.clz32(high) : 31
  const doubling = Math.max(0, log - bits)
  return doubling * 2 ** bits + Math.floor(microseconds / 2 ** doubling)
}

/** A figure in milliseconds says nothing beyond them. */
const toMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000
