// Quantiles: nearest rank, of weighted values, and their bootstrap.
import { type BootstrapOptions, bootstrapVerdict, type Difference } from './paired-bootstrap.ts'

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

/** One thread's samples in both runs; as many in the one as in the other or not, or none. */
export interface SampleCluster {
  readonly baseline: Iterable<number>
  readonly candidate: Iterable<number>
}

export interface QuantileDifference extends Difference {
  /** How many threads hold the samples above the quantile, in the run where they are fewer. */
  readonly threadsBeyond: number
}

/**
 * Candidate's quantile − baseline's by nearest rank at each share of `quantiles` (0 < quantile ≤ 1), in their order
 * and in the samples' unit; undefined for fewer than two threads with samples or for a run without any. Threads are
 * drawn again whole and with both runs, as in `bootstrapShares`; one drawing serves all quantiles. A drawing without
 * any sample of one run is drawn anew. Weak far out: too narrow with fewer than
 * three threads beyond the quantile.
 */
export function bootstrapQuantiles(
  clusters: Iterable<SampleCluster>,
  quantiles: readonly number[],
  options: BootstrapOptions,
): QuantileDifference[] | undefined {
  const filled = [...clusters]
    .map((one) => ({ baseline: [...one.baseline], candidate: [...one.candidate] }))
    .filter((one) => one.baseline.length + one.candidate.length > 0)
  const ranked = {
    baseline: rankByThread(filled.map((one) => one.baseline)),
    candidate: rankByThread(filled.map((one) => one.candidate)),
  }
  return bootstrapRanked(ranked, quantiles, options)
}

/** The same of samples that were ranked before, of the same threads in both runs, each with a sample. */
export function bootstrapRanked(
  { baseline, candidate }: { readonly baseline: Ranked; readonly candidate: Ranked },
  quantiles: readonly number[],
  { random, replicates = 2000, level = 0.05 }: BootstrapOptions,
): QuantileDifference[] | undefined {
  const count = baseline.sizes.length
  if (count < 2 || baseline.values.length === 0 || candidate.values.length === 0) return undefined
  const times = new Uint32Array(count)
  const drawnAgain = quantiles.map(() => new Float64Array(replicates))
  const draw = (): void => {
    times.fill(0)
    for (let pick = 0; pick < count; pick += 1) {
      const place = Math.floor(random() * count)
      times[place] = (times[place] ?? 0) + 1
    }
  }
  for (let replicate = 0; replicate < replicates; replicate += 1) {
    let [before, after]: [Float64Array | undefined, Float64Array | undefined] = [undefined, undefined]
    while (before === undefined || after === undefined) {
      draw()
      before = weightedRanks(baseline, times, quantiles)
      after = weightedRanks(candidate, times, quantiles)
    }
    for (const [place, values] of drawnAgain.entries())
      values[replicate] = (after[place] ?? Number.NaN) - (before[place] ?? Number.NaN)
  }
  const [before, after] = [sortSamples(baseline.values), sortSamples(candidate.values)]
  return quantiles.map((quantile, place) => ({
    ...bootstrapVerdict(drawnAgain[place] ?? new Float64Array(), {
      estimate: (nearestRank(after, quantile) ?? Number.NaN) - (nearestRank(before, quantile) ?? Number.NaN),
      degrees: count - 1,
      level,
    }),
    threadsBeyond: Math.min(threadsBeyond(baseline, quantile), threadsBeyond(candidate, quantile)),
  }))
}

/** Samples in descending order, for the upper quantiles that are asked most, with the thread that each is of. */
interface Ranked {
  readonly values: Float64Array
  readonly owners: Uint32Array
  /** How many samples each thread has. */
  readonly sizes: Uint32Array
}

/** `samples`: each thread's. */
export function rankByThread(samples: readonly (readonly number[])[]): Ranked {
  const owners = samples.flatMap((values, owner) => values.map(() => owner))
  return rankSamples(samples.flat(), owners, samples.length)
}

/** `owners`: of each sample the number of its thread, below `threads`. */
export function rankSamples(samples: Iterable<number>, owners: Iterable<number>, threads: number): Ranked {
  const [values, numbers] = [Float64Array.from(samples), Uint32Array.from(owners)]
  const at = (column: Float64Array | Uint32Array, place: number): number => column[place] ?? 0
  const order = Uint32Array.from(values.keys()).sort(
    (some, other) => at(values, other) - at(values, some) || at(numbers, some) - at(numbers, other),
  )
  const sizes = new Uint32Array(threads)
  for (const owner of numbers) sizes[owner] = (sizes[owner] ?? 0) + 1
  return {
    values: Float64Array.from(order, (place) => at(values, place)),
    owners: Uint32Array.from(order, (place) => at(numbers, place)),
    sizes,
  }
}

/**
 * The nearest ranks where each thread counts so many `times`, at each share of `quantiles` in their order, by one pass for
 * all of them; undefined where no sample was drawn.
 */
export function weightedRanks(
  { values, owners, sizes }: Ranked,
  times: Uint32Array,
  quantiles: readonly number[],
): Float64Array | undefined {
  let total = 0
  for (let owner = 0; owner < sizes.length; owner += 1) total += (sizes[owner] ?? 0) * (times[owner] ?? 0)
  if (total === 0) return undefined
  // From above, the sample at rank r is the one at total − r + 1.
  const fromAbove = quantiles
    .map((quantile, asked) => ({
      asked,
      left: total - rankOf(quantile, total) + 1,
    }))
    .sort((a, b) => a.left - b.left)
  const found = new Float64Array(quantiles.length)
  let [seen, place] = [0, -1]
  for (const { asked, left } of fromAbove) {
    while (seen < left && place + 1 < values.length) {
      place += 1
      seen += times[owners[place] ?? 0] ?? 0
    }
    found[asked] = values[place] ?? Number.NaN
  }
  return found
}

/** How many threads hold the samples of higher rank than the quantile's. */
export function threadsBeyond({ values, owners }: Ranked, quantile: number): number {
  return new Set(owners.subarray(0, values.length - rankOf(quantile, values.length))).size
}

/** Rounded as in `nearestRank`. */
const rankOf = (quantile: number, count: number): number =>
  Math.max(1, Math.ceil(Number((quantile * count).toFixed(9))))
