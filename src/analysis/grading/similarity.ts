// How much of two texts' words is the same.

/**
 * Token F1, 0 to 1: the harmonic mean of precision and recall of the words two texts share, each word as often
 * as both have it. Source: `f1_score` and `compute_f1` of the SQuAD evaluation scripts 1.1 and 2.0 (Rajpurkar et
 * al. 2016, 2018); as in 2.0, of two texts without words one equals the other. Symmetric.
 */
export function tokenF1(some: readonly string[], others: readonly string[]): number {
  if (some.length === 0 || others.length === 0) return some.length === others.length ? 1 : 0
  const left = new Map<string, number>()
  for (const word of some) left.set(word, (left.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of others) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    left.set(word, count - 1)
    shared += 1
  }
  // 2pr / (p + r) with p = shared / some and r = shared / others.
  return (2 * shared) / (some.length + others.length)
}
