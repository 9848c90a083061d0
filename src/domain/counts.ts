// Counts, groups and shares of lists.

/** Keeps the order of first appearance. */
export function countEach<T>(items: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

/** Takes the first of equally frequent items. */
export const mostFrequent = <T>(items: Iterable<T>): T | undefined =>
  [...countEach(items)].sort(([, a], [, b]) => b - a)[0]?.[0]

export function groupBy<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, [T, ...T[]]> {
  const groups = new Map<string, [T, ...T[]]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

/** Returns null if `whole` is 0: missing is not zero. */
export const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)
