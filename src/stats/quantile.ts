// Percentiles by nearest rank.

/** Samples in ascending order: only `sortSamples` makes one. */
export type SortedSamples = Float64Array & { readonly sorted: unique symbol }

export const sortSamples = (samples: Iterable<number>): SortedSamples =>
  Float64Array.from(samples).sort() as SortedSamples

/**
 * The smallest sample that at least the share `p` (0 < p ≤ 1) of all samples does not exceed, that is the
 * one at rank ⌈p·n⌉; undefined for no samples. Source: Hyndman and Fan 1996, "Sample Quantiles in
 * Statistical Packages", definition 1 (inverse of the empirical distribution function).
 */
export function nearestRank(sorted: SortedSamples, p: number): number | undefined {
  // 0.95 * 20 is 19.000000000000004 on some machines' worst days: round the noise off before the ceiling.
  const rank = Math.ceil(Number((p * sorted.length).toFixed(9)))
  return sorted[Math.max(rank, 1) - 1]
}

export function mean(samples: Float64Array): number | undefined {
  if (samples.length === 0) return undefined
  return samples.reduce((sum, value) => sum + value, 0) / samples.length
}
