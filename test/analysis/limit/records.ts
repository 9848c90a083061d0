// Records of calls against limits whose truth is known, with a network in between.
import { createCallGatherer, type GatheredCalls } from '../../../src/analysis/limit/gather-calls.ts'
import type { AttemptResult } from '../../../src/domain/attempt.ts'
import type { ResultRecord } from '../../../src/domain/journal.ts'
import type { CallSeen } from '../../../src/domain/limit.ts'
import type { Limit } from '../../../src/sandbox/limits/models.ts'
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

export const passed: AttemptResult = { kind: 'malformed', httpStatus: 200, reason: '', excerpt: '' }
export const refused: AttemptResult = { kind: 'rejection', httpStatus: 429, error: { message: '' } }

/** `at`: milliseconds since the epoch when it ended. */
export const resultOf = (result: AttemptResult, at: number, serviceMs: number): ResultRecord => ({
  kind: 'result',
  at,
  attempt: 1,
  waitMs: 0,
  serviceMs,
  result,
})

/** A record of calls as a journal gives it. */
export function gatheredOf(seen: readonly CallSeen[]): GatheredCalls {
  const gatherer = createCallGatherer()
  for (const one of seen.toSorted((a, b) => a.endedMs - b.endedMs))
    gatherer.add(
      resultOf(one.refused ? refused : passed, one.endedMs + WALL_AT_ZERO, one.endedMs - one.sentMs),
    )
  return gatherer.finish()
}
