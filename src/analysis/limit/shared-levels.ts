// How full a limit was that others use, too: what they took on average, give or take what chance explains.
import type { Calls } from './calls.ts'
import type { Levels } from './levels.ts'

/** Standard deviations that chance is granted. */
const GRANTED = 2

/** `others`: calls that they had sent by then, on average. */
export function widen(calls: Calls, { bound, middle }: Levels, others: (at: number) => number): void {
  for (let i = 0; i < calls.count; i += 1) {
    const mean = others(calls.at[i] ?? 0)
    const chance = GRANTED * Math.sqrt(mean)
    middle[i] = (middle[i] ?? 0) + mean
    bound[i] = (bound[i] ?? 0) + mean + (calls.refused[i] === 1 ? chance : -chance)
  }
}

/** A bucket is known to be empty at each refusal: from there on ours and theirs are counted anew. Rates are a millisecond's. */
export function sharedBucketLevels(
  calls: Calls,
  { ours, others, size }: { readonly ours: number; readonly others: number; readonly size: number },
  { bound, middle }: Levels,
): void {
  const { at, refused, overtakers, slackMs } = calls
  let room = size
  let setAt = at[0] ?? 0
  /** The last time at which the room was known for sure. */
  let knownAt = setAt
  for (let i = 0; i < calls.count; i += 1) {
    const now = at[i] ?? 0
    room = Math.min(size, room + ours * (now - setAt))
    setAt = now
    const longest = size / Math.max(ours, 1e-9)
    const chance = GRANTED * Math.sqrt(others * Math.min(longest, now - knownAt)) + ours * slackMs
    middle[i] = size - room + 1
    if (refused[i] === 1) {
      bound[i] = size - room + 1 + chance + (overtakers[i] ?? 0)
      room = Math.min(room, 0.5)
      knownAt = now
    } else {
      bound[i] = size - room + 1 - chance
      room = Math.max(0, room - 1)
    }
  }
}
