// By how much quantiles (of latencies, say) changed between two runs over the same threads.
import { bootstrapVerdict, type Difference } from './bootstrap-verdict.ts'
import { type BootstrapOptions } from './paired-bootstrap.ts'
import { nearestRank, sortSamples } from './quantile.ts'
import { rankByThread, threadsBeyond, weightedRanks, type Ranked } from './weighted-ranks.ts'

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
