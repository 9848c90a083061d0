// Records of calls against limits whose truth is known, on a virtual clock, with a network in between.
import type { LimitCall } from '../../../src/domain/limit.ts'
import type { Limit } from '../../../src/sandbox/limits/models.ts'
import type { Server } from '../../bench/pacing/servers.ts'
import { seededRandom } from '../../../src/stats/random.ts'

/** A Monday, some time after midnight: windows of the clock do not begin when we do. */
const START = Date.UTC(2026, 0, 5) + 12_345

export interface Habit {
  /** Calls a second while it is busy. */
  readonly perSecond: number
  readonly calls: number
  readonly seed: number
  /** Every so many calls it rests, for up to so many milliseconds. */
  readonly restEvery?: number
  readonly restMs?: number
  /** Share of the calls that end in a 5xx or a timeout, half of them counted by the limit. */
  readonly failing?: number
}

const ONE_WAY_MS = 10
const JITTER_MS = 6

/** Calls leave at the times that the habit sets; what the server says of each is the record. */
export function recordOf(server: Server, habit: Habit): LimitCall[] {
  const { perSecond, calls, seed, restEvery = 40, restMs = 3000, failing = 0 } = habit
  const random = seededRandom(seed)
  let now = START
  const arrivals = Array.from({ length: calls }, (_, place) => {
    now += (1000 / perSecond) * (0.8 + 0.4 * random())
    if (place % restEvery === restEvery - 1) now += restMs * random()
    return { sentAt: now, at: now + ONE_WAY_MS + JITTER_MS * random() }
  })
  const ends: number[] = []
  return arrivals
    .toSorted((one, other) => one.at - other.at)
    .map(({ sentAt, at }): LimitCall => {
      ends.sort((a, b) => a - b)
      while ((ends[0] ?? Infinity) <= at) server.finish(ends.shift() ?? 0)
      const isLost = random() < failing
      const isCounted = !isLost || random() < 0.5
      const isAccepted = isCounted && server.arrive(at).admitted
      const doneAt = at + (isAccepted ? 200 + 800 * random() : 0)
      if (isAccepted) ends.push(doneAt)
      const endedAt = doneAt + ONE_WAY_MS + JITTER_MS * random()
      const isUnknown = isLost && (isAccepted || !isCounted)
      return { sentAt, endedAt, verdict: isUnknown ? 'unknown' : isAccepted ? 'accepted' : 'refused' }
    })
}

/** The same limit with another time at which its windows turn. */
export const turningAt = (ms: number, limit: Limit): Limit => ({
  nextAt: (now) => limit.nextAt(now - ms) + ms,
  spend: (now) => limit.spend(now - ms),
  standing: (now) => limit.standing(now - ms),
})
