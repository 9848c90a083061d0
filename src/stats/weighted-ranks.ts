// Nearest ranks of samples whose threads were drawn again, without building and sorting that sample.

/** Samples in descending order, for the upper quantiles that are asked most, with the thread that each is of. */
export interface Ranked {
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
