// Searches one parameter of a model: a coarse list, ever finer around the best, then how far it may be moved.
import { NEARLY_AS_GOOD } from './threshold.ts'

export interface Found<T> {
  readonly value: number
  /** As far as the cost stays nearly as good. */
  readonly low: number
  readonly high: number
  readonly at: T
}

/** Steps of the finer lists, to each side of the best so far. */
const FINER_STEPS = 6
const ROUNDS = 3
const EDGE_STEPS = 7
const WIDEST = 2

/**
 * The value with the least cost among `candidates` and near the best of them; the middle, where a stretch of values is
 * equally good. `step`: ratio of one candidate to the next. Undefined without candidates.
 */
export function searchBest<T extends { readonly cost: number }>(
  candidates: readonly number[],
  step: number,
  score: (value: number) => T,
): Found<T> | undefined {
  const seen = new Map<number, T>()
  const look = (value: number): T => {
    const known = seen.get(value)
    if (known !== undefined) return known
    const scored = score(value)
    seen.set(value, scored)
    return scored
  }
  for (const value of candidates) look(value)
  let best = lowest(seen)
  if (best === undefined) return undefined
  let width = step - 1
  for (let round = 0; round < ROUNDS; round += 1) {
    const around = bestFew(seen, round === 0 ? 3 : 1, step)
    for (const centre of around)
      for (let nth = -FINER_STEPS; nth <= FINER_STEPS; nth += 1)
        look(centre * (1 + (width * nth) / FINER_STEPS))
    width /= FINER_STEPS / 1.5
    best = lowest(seen) ?? best
  }
  const cost = best.scored.cost
  const flat = (value: number): boolean => look(value).cost <= cost + 1e-9
  const near = (value: number): boolean => look(value).cost < cost + NEARLY_AS_GOOD
  const middle = Math.sqrt(edge(best.value, -1, flat) * edge(best.value, 1, flat))
  const value = look(middle).cost <= cost + 1e-9 ? middle : best.value
  return { value, low: edge(value, -1, near), high: edge(value, 1, near), at: look(value) }
}

/** The farthest value to one side for which it still holds: steps that double, then halves. */
function edge(from: number, side: 1 | -1, holds: (value: number) => boolean): number {
  let inside = 0
  let outside = 0.002
  while (outside < WIDEST && holds(moved(from, side, outside))) {
    inside = outside
    outside *= 2.5
  }
  for (let nth = 0; nth < EDGE_STEPS; nth += 1) {
    const middle = (inside + outside) / 2
    if (holds(moved(from, side, middle))) inside = middle
    else outside = middle
  }
  return moved(from, side, inside)
}

const moved = (from: number, side: 1 | -1, by: number): number =>
  side > 0 ? from * (1 + by) : from / (1 + by)

function lowest<T extends { readonly cost: number }>(seen: ReadonlyMap<number, T>) {
  let best: { value: number; scored: T } | undefined
  for (const [value, scored] of seen)
    if (best === undefined || scored.cost < best.scored.cost) best = { value, scored }
  return best
}

/** The best, and the next best that are not beside one of them. */
function bestFew<T extends { readonly cost: number }>(
  seen: ReadonlyMap<number, T>,
  most: number,
  step: number,
): number[] {
  const few: number[] = []
  for (const [value] of [...seen].sort(([, a], [, b]) => a.cost - b.cost)) {
    if (few.every((one) => Math.max(one, value) / Math.min(one, value) > step)) few.push(value)
    if (few.length === most) break
  }
  return few
}

/** From `low` to `high` in equal ratios. */
export function ladder(low: number, high: number, step: number): number[] {
  const values: number[] = []
  for (let value = low; value <= high; value *= step) values.push(value)
  return values
}
