// How full a rule was when calls came, for a chart: over the stretch in which it was met most, with no more calls than that shows.
import type { LimitTrace } from '../../domain/limit.ts'
import type { Calls } from './calls.ts'
import type { Closure } from './closures.ts'
import type { Fit } from './fit.ts'
import { makeLevels } from './levels.ts'

/** Windows, or times in which a bucket fills up, that can be told apart side by side. */
const MOST_MEMORIES = 12
const FEWEST_CALLS = 120
const MOST_POINTS = 400

export function traceLimit(fit: Fit, calls: Calls, closures: readonly Closure[]): LimitTrace {
  const levels = makeLevels(calls.count)
  fit.fill(calls, levels)
  const { first, last } = busiestStretch(fit, calls, closures)
  const all = Array.from({ length: last - first + 1 }, (_, offset) => first + offset)
  const places = pickPlaces(all, calls, levels.middle)
  return {
    atMs: places.map((place) => calls.at[place] ?? 0),
    level: places.map((place) => Number((levels.middle[place] ?? 0).toFixed(2))),
    refused: places.map((place) => calls.refused[place] === 1),
    allowed: fit.cut.threshold,
    leftOut: all.length - places.length,
  }
}

interface Stretch {
  readonly first: number
  readonly last: number
}

/** Places of its first and last call: it begins one memory before a closure, and holds the most of them. */
function busiestStretch(tier: Fit, { at, count }: Calls, closures: readonly Closure[]): Stretch {
  const [start, end] = [at[0] ?? 0, at[count - 1] ?? 0]
  const meanGap = (end - start) / Math.max(1, count - 1)
  const memoryMs = memoryOf(tier) ?? FEWEST_CALLS * meanGap
  const length = Math.max(MOST_MEMORIES * memoryMs, FEWEST_CALLS * meanGap)
  const closedAt = closures.map(({ first }) => at[first] ?? 0)
  let [best, most, to] = [start, 0, 0]
  for (const [from, closed] of closedAt.entries()) {
    const begin = Math.max(start, Math.min(closed - memoryMs, end - length))
    while (to < closedAt.length && (closedAt[to] ?? 0) <= begin + length) to += 1
    if (to - from > most) [best, most] = [begin, to - from]
  }
  const [first, last] = [at.findIndex((one) => one >= best), at.findLastIndex((one) => one <= best + length)]
  return { first: Math.max(0, first), last: Math.max(0, last) }
}

/** Milliseconds after which a call no longer counts. */
function memoryOf({ windowMs, perSecond, cut }: Fit): number | undefined {
  if (windowMs !== undefined) return windowMs.value
  return perSecond === undefined || perSecond.value <= 0
    ? undefined
    : (1000 * cut.threshold) / perSecond.value
}

/** All, or the turning points and some of the rest: refusals' first and last, what stands beside them, falls of the level. */
function pickPlaces(all: readonly number[], { refused }: Calls, level: Float64Array): readonly number[] {
  if (all.length <= MOST_POINTS) return all
  const isTurning = (place: number): boolean =>
    refused[place] !== refused[place - 1] ||
    refused[place] !== refused[place + 1] ||
    (level[place] ?? 0) > (level[place + 1] ?? 0) ||
    (level[place] ?? 0) < (level[place - 1] ?? 0)
  const turning = spread(all.filter(isTurning), MOST_POINTS)
  const rest = spread(
    all.filter((place) => !isTurning(place)),
    MOST_POINTS - turning.length,
  )
  return [...turning, ...rest].toSorted((a, b) => a - b)
}

/** At most so many, evenly. */
function spread(places: readonly number[], most: number): readonly number[] {
  if (places.length <= most) return places
  return Array.from({ length: most }, (_, nth) => places[Math.floor((nth * places.length) / most)] ?? 0)
}
