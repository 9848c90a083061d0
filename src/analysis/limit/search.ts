// Finds the parameters of a limit that explain the most verdicts: its size in one pass, its window or rate by
// trial.
import type { Levels } from './levels.ts'
import { ACCEPTED, REFUSED, type Sequence, UNKNOWN } from './sequence.ts'

/** The best value, and the outermost values that explain nearly as much. */
export interface FittedRange {
  readonly value: number
  readonly low: number
  readonly high: number
}

export interface SizeFit {
  /** The size counts calls in a window, in a full bucket, or in flight. */
  readonly size: FittedRange
  /** Wrong verdicts, plus a tenth for each that only the tolerance explains. Lower is better. */
  readonly cost: number
  readonly explained: number
  /** Number of refused calls that it explains without the tolerance. */
  readonly refusedFirmly: number
}

/** A verdict that only the tolerance explains costs this; a wrong one costs 1. */
const TOLERATED = 0.1
/** Values within this cost of the best are not ruled out. */
export const NEAR_COST = 1
const ROUNDING = 1e-6

/** The smallest size that explains the most verdicts: accepted up to it, refused above. */
export function bestSize({ count, verdict }: Sequence, { bound, middle }: Levels): SizeFit {
  let highest = 1
  for (let i = 0; i < count; i += 1) highest = Math.max(highest, bound[i] ?? 0, middle[i] ?? 0)
  const sizes = Math.ceil(highest) + 2
  const countUpTo = (code: number, levels: Float64Array): Float64Array => {
    const counts = new Float64Array(sizes)
    for (let i = 0; i < count; i += 1) {
      const size = Math.ceil((levels[i] ?? 0) - ROUNDING)
      if (verdict[i] === code) counts[size] = (counts[size] ?? 0) + 1
    }
    for (let size = 1; size < sizes; size += 1) counts[size] = (counts[size] ?? 0) + (counts[size - 1] ?? 0)
    return counts
  }
  const [accepted, refused] = [countUpTo(ACCEPTED, bound), countUpTo(REFUSED, bound)]
  const [acceptedFirmly, refusedAtMost] = [countUpTo(ACCEPTED, middle), countUpTo(REFUSED, middle)]
  const [allAccepted, allRefused] = [accepted[sizes - 1] ?? 0, refused[sizes - 1] ?? 0]
  const wrongAt = (size: number): number => allAccepted - (accepted[size] ?? 0) + (refused[size] ?? 0)
  const costAt = (size: number): number =>
    size < 1 || size >= sizes
      ? Infinity
      : wrongAt(size) + TOLERATED * (allAccepted - (acceptedFirmly[size] ?? 0) + (refusedAtMost[size] ?? 0))
  let best = 1
  for (let size = 2; size < sizes; size += 1) if (costAt(size) < costAt(best) - ROUNDING) best = size
  const cost = costAt(best)
  let [low, high] = [best, best]
  while (costAt(low - 1) < cost + NEAR_COST) low -= 1
  while (costAt(high + 1) < cost + NEAR_COST) high += 1
  return {
    size: { value: best, low, high },
    cost,
    explained: allAccepted + allRefused - wrongAt(best),
    refusedFirmly: allRefused - (refusedAtMost[best] ?? 0),
  }
}

export function isExplained({ verdict }: Sequence, { bound }: Levels, size: number, i: number): boolean {
  if (verdict[i] === UNKNOWN) return true
  return Math.ceil((bound[i] ?? 0) - ROUNDING) <= size === (verdict[i] === ACCEPTED)
}

const ROUNDS = 3
const STEPS = 6
const REACH = 0.1

/** Takes the middle of values that cost the same. Does not refine a best candidate above `maxCost`. */
export function searchBest(
  candidates: readonly number[],
  score: (value: number) => { readonly cost: number },
  maxCost = Infinity,
): FittedRange | undefined {
  const costs = new Map<number, number>()
  const costOf = (value: number): number => {
    const cost = costs.get(value) ?? score(value).cost
    costs.set(value, cost)
    return cost
  }
  for (const value of candidates) costOf(value)
  const rank = (): number[] => [...costs].sort(([, one], [, other]) => one - other).map(([value]) => value)
  const [first] = rank()
  if (first === undefined) return undefined
  if (costOf(first) > maxCost) return { value: first, low: first, high: first }
  for (let round = 0, reach = REACH; round < ROUNDS; round += 1, reach /= STEPS / 1.5) {
    const [centre = first] = rank()
    for (let step = -STEPS; step <= STEPS; step += 1) costOf(centre * (1 + (reach * step) / STEPS))
  }
  const [best = first] = rank()
  const minCost = costOf(best)
  const isAsGood = (value: number): boolean => costOf(value) <= minCost + ROUNDING
  const isNear = (value: number): boolean => costOf(value) < minCost + NEAR_COST
  const middle = Math.sqrt(edgeOf(best, -1, isAsGood) * edgeOf(best, 1, isAsGood))
  const value = isAsGood(middle) ? middle : best
  return { value, low: edgeOf(value, -1, isNear), high: edgeOf(value, 1, isNear) }
}

const FIRST_STEP = 0.002
const MAX_REACH = 2
const HALVINGS = 7

/** Takes growing steps, then bisects. */
function edgeOf(from: number, side: 1 | -1, holds: (value: number) => boolean): number {
  const moved = (by: number): number => (side > 0 ? from * (1 + by) : from / (1 + by))
  let [inside, outside] = [0, FIRST_STEP]
  while (outside < MAX_REACH && holds(moved(outside))) [inside, outside] = [outside, outside * 2.5]
  for (let nth = 0; nth < HALVINGS; nth += 1) {
    const middle = (inside + outside) / 2
    if (holds(moved(middle))) inside = middle
    else outside = middle
  }
  return moved(inside)
}
