// Records of calls against limits whose truth is known, with a network in between.
import type { CallSeen } from '../../../src/domain/limit-finding.ts'
import type { Limit } from '../../../src/sandbox/limits/rule.ts'
import { seededRandom } from '../../../src/stats/random.ts'

/** A Monday, some time after midnight: windows of the clock do not begin when we do. */
export const WALL_AT_ZERO = Date.UTC(2026, 0, 5) + 12_345

export interface Habit {
  /** Calls a second while it is busy. */
  readonly perSecond: number
  readonly calls: number
  readonly seed: number
  /** One way through the network takes up to so much more than 10 ms. */
  readonly jitterMs: number
  /** Every so many calls it rests, for up to so many milliseconds. */
  readonly restEvery: number
  readonly restMs: number
}

/** Arrives at the times that the habit sets; what the limit says is the record. */
export function recordOf(limits: readonly Limit[], habit: Habit): CallSeen[] {
  const { perSecond, calls, seed, jitterMs, restEvery, restMs } = habit
  const random = seededRandom(seed)
  let now = 0
  const arrivals = Array.from({ length: calls }, (_, place) => {
    now += 1000 / perSecond + (place % restEvery === restEvery - 1 ? restMs * random() : 0)
    return { sentMs: now, at: now + 10 + jitterMs * random() }
  })
  return arrivals
    .toSorted((one, other) => one.at - other.at)
    .map(({ sentMs, at }) => {
      const wall = at + WALL_AT_ZERO
      const passes = limits.every((limit) => limit.nextAt(wall) <= wall)
      if (passes) for (const limit of limits) limit.spend(wall)
      const answerMs = passes ? 200 + 800 * random() : 0
      return { sentMs, endedMs: at + answerMs + 10 + jitterMs * random(), refused: !passes }
    })
}
