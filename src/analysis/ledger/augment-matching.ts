// Lets further windows into a matching, none at the cost of those that are in it.

/**
 * Augmenting paths, breadth first from one window after the other. What a search in vain has seen is left out from then on: no path from
 * there to a free point can come to be.
 */
export function augment(
  windows: readonly number[],
  first: Int32Array,
  last: Int32Array,
  matched: Int32Array,
  owner: Int32Array,
): void {
  const next = Int32Array.from({ length: owner.length + 1 }, (_, point) => point)
  const reachedBy = new Int32Array(owner.length)
  /** The point itself or the next that was not seen; only points that were seen are passed over. */
  const unseen = (from: number): number => {
    let point = from
    for (let after = next[point] ?? point; after !== point; after = next[point] ?? point) {
      next[point] = next[after] ?? after
      point = after
    }
    return point
  }
  for (const start of windows) {
    const queue = [start]
    const seen: number[] = []
    let free = -1
    for (let head = 0; head < queue.length && free === -1; head += 1) {
      const window = queue[head] ?? 0
      const end = last[window] ?? -1
      for (let point = unseen(first[window] ?? 0); point <= end; point = unseen(point + 1)) {
        reachedBy[point] = window
        next[point] = point + 1
        seen.push(point)
        const held = owner[point] ?? -1
        if (held === -1) {
          free = point
          break
        }
        queue.push(held)
      }
    }
    if (free === -1) continue
    for (let point = free; point !== -1;) {
      const window = reachedBy[point] ?? 0
      const before = matched[window] ?? -1
      matched[window] = point
      owner[point] = window
      point = window === start ? -1 : before
    }
    for (const point of seen) next[point] = point
  }
}
