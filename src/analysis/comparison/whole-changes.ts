// Changes of threads as whole numbers, which the sign-flip test counts in.

/** Shares of up to six repeats, and of most mixes of such, come out whole. */
const MOST_PARTS = 60
/** Steps that the test may take: a second or so. */
const MOST_STEPS = 3e8

/**
 * Each change times one number, the smallest that makes all of them whole, or as large as time allows and rounded.
 * Rounding half away from 0 treats both signs alike, so that the test holds its level all the same.
 */
export function wholeChanges(changes: readonly number[]): number[] {
  const moved = changes.filter((change) => change !== 0)
  const largest = moved.reduce((most, change) => Math.max(most, Math.abs(change)), 1)
  // The test goes through 24 standard deviations of the sum for each thread that changed.
  const affordable = Math.floor(MOST_STEPS / (24 * moved.length ** 1.5 * largest))
  const most = Math.max(1, Math.min(MOST_PARTS, affordable))
  let parts = 1
  while (parts < most && !moved.every((change) => isWhole(change * parts))) parts += 1
  return changes.map((change) => Math.sign(change) * Math.round(Math.abs(change) * parts))
}

const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) < 1e-6
