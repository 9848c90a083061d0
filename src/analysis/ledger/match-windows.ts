// One-to-one matching of points in time to windows: as many as possible, those of the first rank before all others.
import { augment } from './augment-matching.ts'

/** Both ends belong to it. Windows of rank 0 are matched as often as at all possible, then those of rank 1, and so on. */
export interface Window {
  readonly from: number
  readonly until: number
  readonly rank: number
}

/**
 * `points`: ascending, equal ones as often as they count. Returns the point of each window, -1 for none; no point stands
 * twice. The points of a window are neighbours, so the graph is convex: giving each point in turn to the open window that
 * closes first is a maximum matching (F. Glover, Maximum matching in a convex bipartite graph, Naval Research Logistics
 * Quarterly 14, 1967). Further ranks are let in one window at a time by augmenting paths, which never put a matched window
 * out: the sets that can be matched form a transversal matroid, where that greedy way is best for every rank at once
 * (J. Edmonds and D. R. Fulkerson, Transversals and matroid partition, 1965).
 */
export function matchWindows(points: Float64Array, windows: readonly Window[]): Int32Array {
  const first = Int32Array.from(windows, ({ from }) => lowerBound(points, from))
  const last = Int32Array.from(windows, ({ until }) => upperBound(points, until) - 1)
  const matched = new Int32Array(windows.length).fill(-1)
  const owner = new Int32Array(points.length).fill(-1)
  const byRank = [...windows.keys()].sort((a, b) => rankOf(windows, a) - rankOf(windows, b))
  const best = rankOf(windows, byRank[0] ?? 0)
  const others = byRank.findIndex((one) => rankOf(windows, one) > best)
  const foremost = others === -1 ? byRank : byRank.slice(0, others)
  matchFirstClosing(foremost, first, last, matched, owner)
  if (others !== -1) augment(byRank.slice(others), first, last, matched, owner)
  return matched
}

const rankOf = (windows: readonly Window[], at: number): number => windows[at]?.rank ?? 0

/** Index of the first that is not before the time. */
export function lowerBound(points: Float64Array, time: number): number {
  return bound(points, (point) => point < time)
}

/** Index of the first that is after the time. */
export function upperBound(points: Float64Array, time: number): number {
  return bound(points, (point) => point <= time)
}

function bound(points: Float64Array, isBefore: (point: number) => boolean): number {
  let [low, high] = [0, points.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(points[middle] ?? 0)) low = middle + 1
    else high = middle
  }
  return low
}

function matchFirstClosing(
  windows: readonly number[],
  first: Int32Array,
  last: Int32Array,
  matched: Int32Array,
  owner: Int32Array,
): void {
  const at = (places: Int32Array, window: number): number => places[window] ?? 0
  const opening = windows.toSorted(
    (a, b) => at(first, a) - at(first, b) || at(last, a) - at(last, b) || a - b,
  )
  const open: number[] = []
  let next = 0
  for (let point = 0; point < owner.length; point += 1) {
    // Nothing is open: on to where the next window begins.
    if (open.length === 0) {
      const window = opening[next]
      if (window === undefined) return
      point = Math.max(point, at(first, window))
      if (point >= owner.length) return
    }
    for (
      let window = opening[next];
      window !== undefined && at(first, window) <= point;
      window = opening[next]
    ) {
      push(open, window, last)
      next += 1
    }
    let closing = pop(open, last)
    while (closing !== undefined && at(last, closing) < point) closing = pop(open, last)
    if (closing === undefined) continue
    matched[closing] = point
    owner[point] = closing
  }
}

/** A heap by the last point of each window. */
function push(heap: number[], window: number, last: Int32Array): void {
  let at = heap.push(window) - 1
  while (at > 0) {
    const parent = (at - 1) >>> 1
    if (!isSooner(heap, at, parent, last)) return
    swap(heap, at, parent)
    at = parent
  }
}

function pop(heap: number[], last: Int32Array): number | undefined {
  const [top] = heap
  const end = heap.pop()
  if (end === undefined || heap.length === 0) return top
  heap[0] = end
  for (let at = 0; ;) {
    let least = at
    for (const child of [2 * at + 1, 2 * at + 2])
      if (child < heap.length && isSooner(heap, child, least, last)) least = child
    if (least === at) return top
    swap(heap, at, least)
    at = least
  }
}

function isSooner(heap: readonly number[], a: number, b: number, last: Int32Array): boolean {
  const [one, other] = [heap[a] ?? 0, heap[b] ?? 0]
  const [ends, endsOther] = [last[one] ?? 0, last[other] ?? 0]
  return ends < endsOther || (ends === endsOther && one < other)
}

function swap(heap: number[], a: number, b: number): void {
  const [one, other] = [heap[a] ?? 0, heap[b] ?? 0]
  heap[a] = other
  heap[b] = one
}
