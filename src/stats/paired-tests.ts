// Tests of pairs: sign flips by cluster, with McNemar's test as a case of them, and Holm for several at once.

/**
 * Adjusted p-values in the order given: reject where one is at most the level for the whole family. Step-down,
 * valid whatever the dependence. Source: Holm 1979, "A Simple Sequentially Rejective Multiple Test Procedure";
 * adjusted form as in R's `p.adjust(p, "holm")` (Wright 1992).
 */
export function holm(pValues: readonly number[]): number[] {
  const ascending = pValues.map((p, place) => ({ p, place })).sort((a, b) => a.p - b.p)
  const adjusted = Array.from(pValues, () => 1)
  let largest = 0
  for (const [rank, { p, place }] of ascending.entries()) {
    largest = Math.max(largest, Math.min(1, (pValues.length - rank) * p))
    adjusted[place] = largest
  }
  return adjusted
}

/**
 * Exact two-sided p-value for `changes`, the candidate's minus the baseline's count of each thread (whole numbers):
 * were nothing changed, each thread's change could as well have had the other sign, so Σ ±change is compared with all
 * its signs (Fisher 1935, The Design of Experiments, 21; by thread: Gail et al. 1996, "On Design Considerations and
 * Randomization-Based Inference for Community Intervention Trials"). With changes of ±1 it is McNemar's exact test (McNemar
 * 1947, "Note on the Sampling Error of the Difference between Correlated Proportions or Percentages").
 * Holds its level for any number of threads, however much the turns of a thread agree.
 */
export function signFlipTest(changes: Iterable<number>): number {
  const sizes: number[] = []
  let observed = 0
  for (const change of changes) {
    observed += change
    if (change !== 0) sizes.push(Math.abs(change))
  }
  const chances = chancesOfSums(sizes.sort((a, b) => a - b))
  const reach = (chances.length - 1) / 2
  // Both tails are alike, so the far one is counted twice.
  let tail = 0
  for (let sum = Math.abs(observed); sum <= reach; sum += 1) tail += chances[sum + reach] ?? 0
  return observed === 0 ? 1 : Math.min(1, 2 * tail)
}

const SHORT = 1000

/**
 * Chance of each sum −R … R of the sizes with random signs. R is their total; if that is long, at most 12 standard deviations:
 * beyond lies less than 2·e^−72 (Hoeffding 1963), and time and memory stay small for many threads.
 */
function chancesOfSums(sizes: readonly number[]): Float64Array {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const squares = sizes.reduce((sum, size) => sum + size ** 2, 0)
  const reach = Math.min(total, Math.max(SHORT, Math.ceil(12 * Math.sqrt(squares))))
  // So much room at either end that a step never leaves the array.
  const room = reach + (sizes.at(-1) ?? 0)
  let chances = new Float64Array(2 * room + 1)
  let next = new Float64Array(2 * room + 1)
  chances[room] = 1
  let reached = 0
  for (const size of sizes) {
    reached = Math.min(reach, reached + size)
    for (let place = room - reached; place <= room + reached; place += 1)
      next[place] = ((chances[place - size] ?? 0) + (chances[place + size] ?? 0)) / 2
    ;[chances, next] = [next, chances]
  }
  return chances.subarray(room - reach, room + reach + 1)
}
