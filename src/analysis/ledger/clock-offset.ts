// How far the ledger's clock is ahead of ours: from pairs that ids tell, or from how the times fit best.
import { lowerBound, matchWindows, upperBound } from './match-windows.ts'

/** What the offset may be: milliseconds, both ends included. */
export interface OffsetInterval {
  readonly low: number
  readonly high: number
}

export interface ClockOffset {
  readonly offsetMs: number
  readonly uncertaintyMs: number
  /** How many pairs agree with it, of how many. */
  readonly agree: number
  readonly of: number
}

/**
 * The point that the most intervals hold: K. Marzullo, Maintaining the time in a distributed system (1984), as NTP uses it.
 * Wrong pairs in any number below half do not move it. 0 where as many hold that.
 */
export function agreeOnOffset(intervals: readonly OffsetInterval[]): ClockOffset | undefined {
  const edges = intervals
    .flatMap(({ low, high }) => [
      { at: low, step: 1 },
      { at: high, step: -1 },
    ])
    .sort((a, b) => a.at - b.at || b.step - a.step)
  let [depth, deepest] = [0, 0]
  let best: OffsetInterval | undefined
  for (const [place, { at, step }] of edges.entries()) {
    depth += step
    const high = edges[place + 1]?.at ?? at
    if (depth < deepest || step === -1) continue
    // Of equals the one nearest to nothing.
    if (depth === deepest && best !== undefined && distance({ low: at, high }) >= distance(best)) continue
    deepest = depth
    best = { low: at, high }
  }
  if (best === undefined) return undefined
  const isZero = best.low <= 0 && best.high >= 0
  return {
    offsetMs: isZero ? 0 : (best.low + best.high) / 2,
    uncertaintyMs: (best.high - best.low) / 2,
    agree: deepest,
    of: intervals.length,
  }
}

const distance = ({ low, high }: OffsetInterval): number =>
  low <= 0 && high >= 0 ? 0 : Math.min(Math.abs(low), Math.abs(high))

export interface Stretch {
  readonly from: number
  readonly until: number
}

/** As far as zones go, and a clock's error beside them. */
const FARTHEST_MS = 14.5 * 3_600_000
/** Pairs that are looked at. */
const MOST_PAIRS = 20_000_000
const MOST_STRETCHES = 300
const MOST_CANDIDATES = 8
/** A ledger's own times are taken as this exact when candidates are tried. */
const TIGHT_MS = 250

/**
 * Without ids: of all shifts those that put the most points into the calls' stretches are tried by a whole matching. `points`:
 * ascending; each is known to lie within `stepMs` from there. No shift is taken that does not fit clearly better than none.
 */
export function alignOffset(
  stretches: readonly Stretch[],
  points: Float64Array,
  stepMs: number,
): ClockOffset | undefined {
  if (stretches.length === 0 || points.length === 0) return undefined
  const windowsAt = (offset: number) =>
    stretches.map(({ from, until }) => ({
      from: from + offset - stepMs - TIGHT_MS,
      until: until + offset + TIGHT_MS,
      rank: 0,
    }))
  const fit = (offset: number): number =>
    matchWindows(points, windowsAt(offset)).reduce((sum, point) => sum + (point === -1 ? 0 : 1), 0)
  const unshifted = fit(0)
  let best = { offset: 0, fits: unshifted }
  if (unshifted === stretches.length)
    return { offsetMs: 0, uncertaintyMs: TIGHT_MS + stepMs / 2, agree: unshifted, of: unshifted }
  for (const offset of candidates(stretches, points, stepMs)) {
    const fits = fit(offset)
    if (fits > best.fits || (fits === best.fits && Math.abs(offset) < Math.abs(best.offset)))
      best = { offset, fits }
  }
  const isBetter = best.fits > unshifted + Math.max(2, 0.03 * stretches.length)
  const isGood = best.fits >= 0.5 * stretches.length
  if (!isBetter || !isGood)
    return { offsetMs: 0, uncertaintyMs: TIGHT_MS + stepMs / 2, agree: unshifted, of: stretches.length }
  return {
    offsetMs: best.offset,
    uncertaintyMs: TIGHT_MS + stepMs / 2,
    agree: best.fits,
    of: stretches.length,
  }
}

/** Shifts at which stretches and points coincide most, each short stretch weighing as much as a long one. */
function candidates(stretches: readonly Stretch[], points: Float64Array, stepMs: number): number[] {
  const cell = Math.max(100, stepMs / 4)
  const earliest = stretches.reduce((least, { from }) => Math.min(least, from), Infinity)
  const latest = stretches.reduce((most, { until }) => Math.max(most, until), -Infinity)
  const lowest = Math.max(-FARTHEST_MS, (points[0] ?? 0) - latest)
  const highest = Math.min(FARTHEST_MS, (points.at(-1) ?? 0) + stepMs - earliest)
  if (lowest > highest) return []
  const cells = Math.ceil((highest - lowest) / cell) + 2
  const changes = new Float64Array(cells + 1)
  const place = (offset: number): number => Math.min(cells, Math.max(0, Math.round((offset - lowest) / cell)))
  for (const { from, until } of sampleOf(stretches, points.length)) {
    const end = upperBound(points, until + FARTHEST_MS)
    for (let at = lowerBound(points, from - FARTHEST_MS); at < end; at += 1) {
      const point = points[at] ?? 0
      const low = place(point - until)
      const high = Math.max(low + 1, place(point + stepMs - from))
      const weight = 1 / (high - low)
      changes[low] = (changes[low] ?? 0) + weight
      changes[high] = (changes[high] ?? 0) - weight
    }
  }
  const heights = new Float64Array(cells)
  let height = 0
  for (let at = 0; at < cells; at += 1) {
    height += changes[at] ?? 0
    heights[at] = height
  }
  return peaksOf(heights, Math.ceil(2000 / cell)).map((at) => (at + 0.5) * cell + lowest)
}

function sampleOf(stretches: readonly Stretch[], points: number): Stretch[] {
  const most = Math.max(20, Math.min(MOST_STRETCHES, Math.floor(MOST_PAIRS / Math.max(1, points))))
  const every = Math.max(1, stretches.length / most)
  const sample: Stretch[] = []
  for (let at = 0; at < stretches.length; at += every) {
    const one = stretches[Math.floor(at)]
    if (one !== undefined) sample.push(one)
  }
  return sample
}

/** The highest cells, none within `apart` of a higher one. */
function peaksOf(heights: Float64Array, apart: number): number[] {
  const left = heights.slice()
  const peaks: number[] = []
  while (peaks.length < MOST_CANDIDATES) {
    let best = 0
    for (let at = 1; at < left.length; at += 1) if ((left[at] ?? 0) > (left[best] ?? 0)) best = at
    if ((left[best] ?? 0) <= 1e-6) return peaks
    let end = best
    while (end + 1 < left.length && (heights[end + 1] ?? 0) >= (heights[best] ?? 0) * 0.999) end += 1
    peaks.push((best + end) / 2)
    left.fill(0, Math.max(0, best - apart), Math.min(left.length, end + apart + 1))
  }
  return peaks
}
