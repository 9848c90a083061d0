// By how much a quantile (of latencies, say) changed between two runs over the same threads.
import { bootstrapVerdict, type Difference } from './bootstrap-verdict.ts'
import { type BootstrapOptions } from './paired-bootstrap.ts'
import { nearestRank, sortSamples } from './quantile.ts'

/** One thread's samples in both runs; as many in the one as in the other or not, or none. */
export interface SampleCluster {
  readonly baseline: Iterable<number>
  readonly candidate: Iterable<number>
}

/**
 * Candidate's quantile − baseline's by nearest rank at share `quantile` (0 < quantile ≤ 1), in the samples' unit;
 * undefined for fewer than two threads with samples or for a run without any. Threads are drawn again whole and with
 * both runs, as in `bootstrapShares`. A drawing without any sample of one run is drawn anew. Weak far out: with
 * fewer than some ten samples beyond the quantile the interval is too narrow.
 */
export function bootstrapQuantiles(
  clusters: Iterable<SampleCluster>,
  quantile: number,
  { random, replicates = 2000, level = 0.05 }: BootstrapOptions,
): Difference | undefined {
  const filled = [...clusters]
    .map((one) => ({ baseline: [...one.baseline], candidate: [...one.candidate] }))
    .filter((one) => one.baseline.length + one.candidate.length > 0)
  const count = filled.length
  const baseline = ranked(filled.map((one) => one.baseline))
  const candidate = ranked(filled.map((one) => one.candidate))
  const difference = subtract(
    nearestRank(sortSamples(candidate.values), quantile),
    nearestRank(sortSamples(baseline.values), quantile),
  )
  if (count < 2 || difference === undefined) return undefined
  const times = new Uint32Array(count)
  const draw = (): number => {
    times.fill(0)
    for (let pick = 0; pick < count; pick += 1) {
      const place = Math.floor(random() * count)
      times[place] = (times[place] ?? 0) + 1
    }
    return (
      subtract(weightedRank(candidate, times, quantile), weightedRank(baseline, times, quantile)) ?? draw()
    )
  }
  const drawnAgain = Float64Array.from({ length: replicates }, draw)
  return bootstrapVerdict(drawnAgain, { estimate: difference, degrees: count - 1, level })
}

const subtract = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a - b

/** Samples in descending order, for the upper quantiles that are asked most, with the thread that each is of. */
interface Ranked {
  readonly values: Float64Array
  readonly owners: Uint32Array
  /** How many samples each thread has. */
  readonly sizes: Uint32Array
}

function ranked(samples: readonly (readonly number[])[]): Ranked {
  const owned = samples.flatMap((values, owner) => values.map((value) => ({ value, owner })))
  owned.sort((a, b) => b.value - a.value)
  return {
    values: Float64Array.from(owned, (one) => one.value),
    owners: Uint32Array.from(owned, (one) => one.owner),
    sizes: Uint32Array.from(samples, (values) => values.length),
  }
}

/** The nearest rank where each thread counts so many `times`, without building and sorting that sample. */
function weightedRank(
  { values, owners, sizes }: Ranked,
  times: Uint32Array,
  quantile: number,
): number | undefined {
  let total = 0
  for (let owner = 0; owner < sizes.length; owner += 1) total += (sizes[owner] ?? 0) * (times[owner] ?? 0)
  // Rounded as in `nearestRank`. From above, the sample at rank r is the one at total − r + 1.
  let left = total - Math.max(1, Math.ceil(Number((quantile * total).toFixed(9)))) + 1
  for (let place = 0; place < values.length; place += 1) {
    left -= times[owners[place] ?? 0] ?? 0
    if (left <= 0) return values[place]
  }
  return undefined
}
