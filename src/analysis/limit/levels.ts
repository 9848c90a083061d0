// Computes how full a limit was at each call: it accepts calls up to its size, and refuses those above.
// Levels follow what the endpoint accepted, so that one wrong verdict does not spoil the replay of later
// calls.
import { ACCEPTED, REFUSED, type Sequence } from './sequence.ts'

/**
 * Each level includes the call itself; unknown calls have none. `bound` is moved in favour of the verdict as
 * far as the network and unknown calls allow: lowest for an accepted call, highest for a refused one.
 */
export interface Levels {
  readonly middle: Float64Array
  readonly bound: Float64Array
}

export const windowLevels = (calls: Sequence, startOf: (moment: number) => number, levels: Levels): void =>
  countLevels(calls, 'at', (now, movedMs) => startOf(now + movedMs / 2) + movedMs / 2, levels)

/** Weights the calls of the last window of the clock by its share in a window that ends now. */
export function weightedLevels(calls: Sequence, windowMs: number, levels: Levels): void {
  const { middle, bound } = levels
  const both = { middle: new Float64Array(calls.count), bound: new Float64Array(calls.count) }
  const startOf = (moment: number): number => Math.floor(moment / windowMs) * windowMs
  windowLevels(calls, startOf, levels)
  windowLevels(calls, (moment) => startOf(moment) - windowMs, both)
  for (let i = 0; i < calls.count; i += 1) {
    const now = calls.at[i] ?? 0
    const movedMs = calls.verdict[i] === ACCEPTED ? calls.toleranceMs / 2 : -calls.toleranceMs / 2
    const mix = (moment: number, { [i]: level = 0 }: Float64Array, { [i]: all = 0 }: Float64Array): number =>
      all + ((moment - startOf(moment)) / windowMs) * (level - all)
    middle[i] = mix(now, middle, both.middle)
    bound[i] = mix(now + movedMs, bound, both.bound)
  }
}

export const inFlightLevels = (calls: Sequence, levels: Levels): void =>
  countLevels(calls, 'doneAt', (now, movedMs) => now + movedMs, levels)

/** Drops calls whose `moments` lie before `goneBefore(now, movedMs)`: the network may have moved them. */
function countLevels(
  { count, at, verdict, acceptedBefore, possibleBefore, accepted, possible, toleranceMs }: Sequence,
  moments: 'at' | 'doneAt',
  goneBefore: (now: number, movedMs: number) => number,
  { middle, bound }: Levels,
): void {
  const [gone, surelyGone] = [countBelow(accepted[moments]), countBelow(accepted[moments])]
  const [possiblyGone, possiblyGoneEarlier] = [countBelow(possible[moments]), countBelow(possible[moments])]
  const arrivedBy = countBelow(possible.at)
  for (let i = 0; i < count; i += 1) {
    const now = at[i] ?? 0
    if (verdict[i] === ACCEPTED) {
      const before = acceptedBefore[i] ?? 0
      middle[i] = Math.max(0, before - gone(goneBefore(now, 0))) + 1
      bound[i] = Math.max(0, before - surelyGone(goneBefore(now, toleranceMs))) + 1
    } else if (verdict[i] === REFUSED) {
      middle[i] = Math.max(0, (possibleBefore[i] ?? 0) - possiblyGone(goneBefore(now, 0))) + 1
      bound[i] = arrivedBy(now + toleranceMs) - possiblyGoneEarlier(goneBefore(now, -toleranceMs)) + 1
    }
  }
}

export function bucketLevels(
  { count, at, verdict, possibleBefore, possible, toleranceMs }: Sequence,
  perMs: number,
  { middle, bound }: Levels,
): void {
  const arrivedBy = countBelow(possible.at)
  let [minTaken, maxTaken, takenAt] = [0, 0, at[0] ?? 0]
  for (let i = 0; i < count; i += 1) {
    const passed = (at[i] ?? 0) - takenAt
    const after = (taken: number, ms: number): number => Math.max(0, taken - perMs * Math.max(0, ms)) + 1
    if (verdict[i] === REFUSED) {
      const overtaking = arrivedBy((at[i] ?? 0) + toleranceMs) - (possibleBefore[i] ?? 0)
      middle[i] = after(maxTaken, passed)
      bound[i] = after(maxTaken, passed - toleranceMs) + Math.max(0, overtaking)
      continue
    }
    middle[i] = after(minTaken, passed)
    bound[i] = after(minTaken, passed + toleranceMs)
    minTaken = verdict[i] === ACCEPTED ? after(minTaken, passed) : after(minTaken, passed) - 1
    maxTaken = after(maxTaken, passed)
    takenAt = at[i] ?? 0
  }
}

/** Counts the values of an ascending list below a moment. Fast if moments mostly ascend in small steps. */
function countBelow(sorted: Float64Array): (moment: number) => number {
  let count = 0
  return (moment) => {
    while (count < sorted.length && (sorted[count] ?? 0) < moment) count += 1
    while (count > 0 && (sorted[count - 1] ?? 0) >= moment) count -= 1
    return count
  }
}
