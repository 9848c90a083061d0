// Counts of durations in bins that widen with them, as HdrHistogram has them: little memory, whatever the number of samples.
import type { Latency } from '../../domain/summary.ts'

/** A day; what is longer counts as one. Microseconds. */
export const LONGEST = 86_400_000_000

/**
 * Whole microseconds up to a day to 2 or 3 significant digits, after Gil Tene's HdrHistogram: up to `2·half` a bin each
 * (half = 128 or 1024); from there on `half` bins for each doubling, so that a bin is never wider than 1/half of what it
 * holds. Percentiles are the longest duration of the bin at the nearest rank, as HdrHistogram gives them, or the longest
 * sample where that is shorter; `max`, `mean` and `count` are exact. Own code for its speed alone (a record takes a
 * twentieth of hdr-histogram-js's): the bins are the library's, which a test holds them against, and which encodes them.
 */
export class HdrCounts {
  readonly digits: 2 | 3
  readonly #half: number
  readonly #bits: number
  #counts: Uint32Array
  #count = 0
  #sum = 0
  #max = 0
  #highest = -1

  constructor(digits: 2 | 3 = 3) {
    this.digits = digits
    this.#bits = digits === 3 ? 10 : 7
    this.#half = 2 ** this.#bits
    this.#counts = new Uint32Array(2 * this.#half)
  }

  get count(): number {
    return this.#count
  }

  get max(): number {
    return this.#max
  }

  get sum(): number {
    return this.#sum
  }

  /** Milliseconds; below nothing, where a clock was set back, is nothing. */
  record(ms: number): void {
    const known = Math.max(0, ms)
    const microseconds = Math.min(LONGEST, Math.round(known * 1000))
    this.#put(placeOf(microseconds, this.#bits), 1)
    this.#count += 1
    this.#sum += known
    if (known > this.#max) this.#max = known
  }

  /** Adds what another of the same precision holds. */
  add(other: HdrCounts): void {
    for (const bin of other.bins()) this.#put(placeOf(bin.microseconds, this.#bits), bin.count)
    this.#count += other.count
    this.#sum += other.sum
    this.#max = Math.max(this.#max, other.max)
  }

  /** What the share `p` (0 < p ≤ 1) of the samples does not exceed, in milliseconds; null without samples. */
  at(p: number): number | null {
    if (this.#count === 0) return null
    // Rounding noise must not lift 0.95 × 20 over 19.
    const rank = Math.max(1, Math.ceil(Number((p * this.#count).toFixed(6))))
    let seen = 0
    for (let place = 0; place <= this.#highest; place += 1) {
      seen += this.#counts[place] ?? 0
      if (seen >= rank)
        return Math.min(toMicroseconds(this.#max), (this.#startOf(place) + this.#widthAt(place) - 1) / 1000)
    }
    return toMicroseconds(this.#max)
  }

  latency(): Latency {
    const count = this.#count
    return {
      p50: this.at(0.5),
      p90: this.at(0.9),
      p95: this.at(0.95),
      p99: this.at(0.99),
      max: count === 0 ? null : toMicroseconds(this.#max),
      mean: count === 0 ? null : toMicroseconds(this.#sum / count),
      count,
    }
  }

  /** Each bin that holds samples, shortest first: the shortest duration that counts in it, whole microseconds. */
  *bins(): Generator<{ readonly microseconds: number; readonly count: number }> {
    for (let place = 0; place <= this.#highest; place += 1) {
      const found = this.#counts[place] ?? 0
      if (found > 0) yield { microseconds: this.#startOf(place), count: found }
    }
  }

  #put(place: number, more: number): void {
    if (place >= this.#counts.length) this.#grow(place)
    this.#counts[place] = (this.#counts[place] ?? 0) + more
    if (place > this.#highest) this.#highest = place
  }

  #grow(place: number): void {
    const wider = new Uint32Array(this.#half * (Math.floor(place / this.#half) + 1))
    wider.set(this.#counts)
    this.#counts = wider
  }

  /** The doubling that a place lies in, and the first microsecond that counts there. */
  #widthAt(place: number): number {
    return 2 ** Math.max(0, Math.floor(place / this.#half) - 1)
  }

  #startOf(place: number): number {
    const doubling = Math.max(0, Math.floor(place / this.#half) - 1)
    return (place - doubling * this.#half) * 2 ** doubling
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
