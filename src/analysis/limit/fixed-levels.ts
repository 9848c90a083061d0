// How full a fixed window was when a call came, of which it is known only within how long it was seen.
import type { Calls } from './calls.ts'
import type { Levels } from './levels.ts'
import { fixedLevelsAlike } from './turning-levels.ts'

/** A call that may have been seen in more windows says nothing of any. */
const MOST_WINDOWS = 3

/**
 * Fixed windows that turn at `phaseMs` and every `windowMs` from there. Read alike, they go by a reckoning of their own: calls
 * may be moved past one turn there and no further, which is quicker, and what findings of most records rest on.
 */
export function fixedLevels(calls: Calls, windowMs: number, phaseMs: number, levels: Levels): void {
  if (calls.reading === 'alike') {
    fixedLevelsAlike(calls, windowMs, phaseMs, levels)
    return
  }
  const { bound, middle } = levels
  const levelOf = levelReader(calls, windowMs, phaseMs, calls.slackMs, calls.overtakers)
  const levelInDoubt = levelReader(calls, windowMs, phaseMs, 0, calls.overtakersInDoubt)
  for (let i = 0; i < calls.count; i += 1) {
    middle[i] = levelInDoubt(i)
    bound[i] = levelOf(i)
  }
}

/** How full its window was at a call, read in the call's favour: of the windows in which it may have been seen the fittest. */
function levelReader(
  calls: Calls,
  windowMs: number,
  phaseMs: number,
  slackMs: number,
  overtakers: Uint32Array,
): (place: number) => number {
  const { at, doubt, refused, passedBefore } = calls
  let own = windowFrom(calls, phaseMs, windowMs, slackMs)
  let other = own

  const levelWithin = ({ mostByEnd, leastEarlier, leastByEnd, mostEarlier }: Window, i: number): number => {
    const before = passedBefore[i] ?? 0
    return refused[i] === 1
      ? Math.min(before + (overtakers[i] ?? 0), mostByEnd) - leastEarlier + 1
      : Math.max(0, Math.min(before, leastByEnd) - mostEarlier) + 1
  }
  return (i) => {
    const now = at[i] ?? 0
    const moved = slackMs + (doubt[i] ?? 0)
    const turn = phaseMs + Math.floor((now - phaseMs) / windowMs) * windowMs
    if (turn !== own.turn) own = windowFrom(calls, turn, windowMs, slackMs)
    let level = levelWithin(own, i)
    if (now - moved >= turn && now + moved < turn + windowMs) return level
    const first = Math.floor((now - moved - phaseMs) / windowMs)
    const last = Math.floor((now + moved - phaseMs) / windowMs)
    if (last - first > MOST_WINDOWS) {
      if (refused[i] !== 1) return 1
      const surelyEarlier = countBelow(calls.passedLatest, now - moved - windowMs)
      return (passedBefore[i] ?? 0) + (overtakers[i] ?? 0) - surelyEarlier + 1
    }
    for (let number = first; number <= last; number += 1) {
      const start = phaseMs + number * windowMs
      if (start === turn) continue
      if (start !== other.turn) other = windowFrom(calls, start, windowMs, slackMs)
      const there = levelWithin(other, i)
      if (refused[i] === 1 ? there > level : there < level) level = there
    }
    return level
  }
}

/** How many calls were let through before it began and by its end, at least and at most. */
interface Window {
  readonly turn: number
  readonly leastEarlier: number
  readonly mostEarlier: number
  readonly leastByEnd: number
  readonly mostByEnd: number
}

function windowFrom(
  { passedEarliest, passedLatest }: Calls,
  turn: number,
  windowMs: number,
  slackMs: number,
): Window {
  const end = turn + windowMs
  return {
    turn,
    leastEarlier: countBelow(passedLatest, turn - slackMs),
    mostEarlier: countBelow(passedEarliest, turn + slackMs),
    leastByEnd: countBelow(passedLatest, end - slackMs),
    mostByEnd: countBelow(passedEarliest, end + 2 * slackMs),
  }
}

/** `sorted`: ascending. How many are less than the moment. */
function countBelow(sorted: Float64Array, moment: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < moment) low = middle + 1
    else high = middle
  }
  return low
}
