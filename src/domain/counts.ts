// How often each item occurs.

/** The number of each item, in the order of their first appearance. */
export function countEach<T>(items: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

/** The most frequent item; of equal ones the first. */
export const mostFrequent = <T>(items: Iterable<T>): T | undefined =>
  [...countEach(items)].sort(([, a], [, b]) => b - a)[0]?.[0]
