// How many repeats of a turn are followed call by call, of more than can be: enough to fill the lanes, whatever stands beside it.
import type { Lanes } from './makespan.ts'

/** Each number of turns left gets calls enough that the lanes are filled so often: only then do its calls wait for lanes alone, and for no answer of their threads. */
const FILLS = 3
/** That may take so many times the calls that are followed otherwise, and no more. */
const MOST_TO_FILL = 4

/**
 * `answers`: of the turns with so many left, one list for each number; `most`: calls in all. Of equal answers the lanes stand
 * alike again after some repeats, so where these are few, a whole number of them is left out.
 */
export function followedRepeats(
  stretches: readonly (readonly number[])[],
  { gapMs, concurrency }: Lanes,
  repeats: number,
  most: number,
): number[] {
  const longest = stretches.flat().reduce((best, ms) => Math.max(best, ms), 0)
  const atOnce = Math.min(Math.ceil(concurrency), gapMs === 0 ? Infinity : Math.floor(longest / gapMs) + 1)
  const even = most / 2 / stretches.length
  const toFill = Number.isFinite(atOnce)
    ? Math.min(FILLS * atOnce, (MOST_TO_FILL * most) / stretches.length)
    : 0
  return stretches.map(({ length }) => {
    const few = Math.max(2, Math.ceil(Math.max(even, toFill) / length))
    if (few >= repeats) return repeats
    const round = roundOf(Math.ceil(concurrency), length)
    return round * length > Math.max(even, toFill) ? few : few + ((repeats - few) % round)
  })
}

/** Repeats of so many calls after which a whole number of times each lane had one. */
function roundOf(lanes: number, calls: number): number {
  if (!Number.isFinite(lanes)) return 1
  let [a, b] = [lanes, calls]
  while (b > 0) [a, b] = [b, a % b]
  return lanes / a
}
