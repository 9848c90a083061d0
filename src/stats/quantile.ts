// Quantiles by nearest rank, and the bootstrap of their change between two runs.
import { type BootstrapOptions, type BootstrapResult, bootstrapResult } from './paired-bootstrap.ts'

export type SortedSamples = Float64Array & { readonly sorted: unique symbol }

export const sortSamples = (samples: Iterable<number>): SortedSamples =>
  Float64Array.from(samples).sort() as SortedSamples

/**
 * Takes the sample at rank ⌈p·n⌉ (0 < p ≤ 1). Undefined without samples. Source: Hyndman and Fan 1996,
 * "Sample Quantiles in Statistical Packages", definition 1.
 */
export function nearestRank(sorted: SortedSamples, p: number): number | undefined {
  return sorted[rankOf(p, sorted.length) - 1]
}

/** The product's floating-point error is rounded off first. */
const rankOf = (p: number, count: number): number => Math.max(1, Math.ceil(Number((p * count).toFixed(9))))

export function mean(samples: Float64Array): number | undefined {
  if (samples.length === 0) return undefined
  return samples.reduce((sum, value) => sum + value, 0) / samples.length
}

export interface QuantileResult extends BootstrapResult {
  /** Counted in the run that has fewer threads with samples above the quantile. */
  readonly threadsBeyond: number
}

/** Samples are largest first: most quantiles in use are upper ones. */
interface Ranked {
  readonly values: Float64Array
  readonly owners: Uint32Array
  readonly sizes: Uint32Array
}

/** `owners` holds for each sample the number of its thread, from 0 and below `threads`. */
export function rankSamples(samples: readonly number[], owners: readonly number[], threads: number): Ranked {
  const order = [...samples.keys()].sort((a, b) => (samples[b] ?? 0) - (samples[a] ?? 0))
  const sizes = new Uint32Array(threads)
  for (const owner of owners) sizes[owner] = (sizes[owner] ?? 0) + 1
  return {
    values: Float64Array.from(order, (index) => samples[index] ?? 0),
    owners: Uint32Array.from(order, (index) => owners[index] ?? 0),
    sizes,
  }
}

/**
 * Bootstraps the candidate's quantile − the baseline's. Both runs have the same threads, each with samples in
 * both. Undefined for fewer than two threads. Too narrow with fewer than three beyond the quantile.
 */
export function bootstrapQuantile(
  { baseline, candidate }: { readonly baseline: Ranked; readonly candidate: Ranked },
  quantile: number,
  { random, replicates = 2000, level = 0.05 }: BootstrapOptions,
): QuantileResult | undefined {
  const count = baseline.sizes.length
  if (count < 2) return undefined
  const times = new Uint32Array(count)
  const resampled = Float64Array.from({ length: replicates }, () => {
    times.fill(0)
    for (let pick = 0; pick < count; pick += 1) {
      const index = Math.floor(random() * count)
      times[index] = (times[index] ?? 0) + 1
    }
    return weightedRank(candidate, times, quantile) - weightedRank(baseline, times, quantile)
  })
  return {
    ...bootstrapResult(resampled, count - 1, level),
    threadsBeyond: Math.min(threadsBeyond(baseline, quantile), threadsBeyond(candidate, quantile)),
  }
}

/** Finds the sample at the nearest rank if each thread counts `times` times. */
function weightedRank({ values, owners, sizes }: Ranked, times: Uint32Array, quantile: number): number {
  const total = sizes.reduce((sum, size, owner) => sum + size * (times[owner] ?? 0), 0)
  // Counted from the largest, rank r is rank total − r + 1.
  const rankFromAbove = total - rankOf(quantile, total) + 1
  let [seen, index] = [0, -1]
  while (seen < rankFromAbove && index + 1 < values.length) {
    index += 1
    seen += times[owners[index] ?? 0] ?? 0
  }
  return values[index] ?? Number.NaN
}

const threadsBeyond = ({ values, owners }: Ranked, quantile: number): number =>
  new Set(owners.subarray(0, values.length - rankOf(quantile, values.length))).size
