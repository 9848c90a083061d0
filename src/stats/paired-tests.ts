// Tests of pairs: sign flips by cluster (McNemar's test is a special case), and Holm's adjustment.

/**
 * Adjusts p-values: reject those at or below the level of the whole family. Step-down, valid under any
 * dependence. Source: Holm 1979, "A Simple Sequentially Rejective Multiple Test Procedure"; adjusted form as
 * in R's `p.adjust(p, "holm")` (Wright 1992).
 */
export function holm(pValues: readonly number[]): number[] {
  const ascending = pValues.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p)
  const adjusted = Array.from(pValues, () => 1)
  let largest = 0
  for (const [rank, { p, index }] of ascending.entries()) {
    largest = Math.max(largest, Math.min(1, (pValues.length - rank) * p))
    adjusted[index] = largest
  }
  return adjusted
}

/**
 * Exact two-sided p-value for `changes`: the candidate's count minus the baseline's, by thread (whole
 * numbers). If nothing changed, either sign of a thread's change is equally likely, so the sum is compared
 * with the sums under all signs (Fisher 1935, The Design of Experiments, 21; by thread: Gail et al. 1996, "On
 * Design Considerations and Randomization-Based Inference for Community Intervention Trials"). With changes
 * of ±1 it is McNemar's exact test (McNemar 1947, "Note on the Sampling Error of the Difference between
 * Correlated Proportions or Percentages"). The test keeps its level for any number of threads, however much
 * the turns of a thread agree.
 */
export function signFlipTest(changes: Iterable<number>): number {
  const sizes: number[] = []
  let observed = 0
  for (const change of changes) {
    observed += change
    if (change !== 0) sizes.push(Math.abs(change))
  }
  const probabilities = sumProbabilities(sizes.sort((a, b) => a - b))
  const reach = (probabilities.length - 1) / 2
  // The distribution is symmetric: one tail is counted twice.
  let tail = 0
  for (let sum = Math.abs(observed); sum <= reach; sum += 1) tail += probabilities[sum + reach] ?? 0
  return observed === 0 ? 1 : Math.min(1, 2 * tail)
}

const MIN_REACH = 1000

/**
 * Gives the probability of each sum −R … R of the sizes with random signs. R is their total, but above 1000
 * at most 12 standard deviations, which bounds time and memory for many threads: beyond them lies less than
 * 2·e^−72 (Hoeffding 1963).
 */
function sumProbabilities(sizes: readonly number[]): Float64Array {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const squares = sizes.reduce((sum, size) => sum + size ** 2, 0)
  const reach = Math.min(total, Math.max(MIN_REACH, Math.ceil(12 * Math.sqrt(squares))))
  // The margin at each end keeps every step within the array.
  const room = reach + (sizes.at(-1) ?? 0)
  let probabilities = new Float64Array(2 * room + 1)
  let next = new Float64Array(2 * room + 1)
  probabilities[room] = 1
  let reached = 0
  for (const size of sizes) {
    reached = Math.min(reach, reached + size)
    for (let index = room - reached; index <= room + reached; index += 1)
      next[index] = ((probabilities[index - size] ?? 0) + (probabilities[index + size] ?? 0)) / 2
    ;[probabilities, next] = [next, probabilities]
  }
  return probabilities.subarray(room - reach, room + reach + 1)
}
