// How often each item occurs.

/** Keeps the order of first appearance. */
export function countEach<T>(items: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

/** Takes the first of equally frequent items. */
export const mostFrequent = <T>(items: Iterable<T>): T | undefined =>
  [...countEach(items)].sort(([, a], [, b]) => b - a)[0]?.[0]
