// Records of calls against known limits, on a virtual clock, with simulated network delay.
import type { LimitCall } from '../../../src/domain/limit.ts'
import type { Limit } from '../../../src/sandbox/limits/models.ts'
import type { Server } from '../../bench/pacing/servers.ts'
import { seededRandom } from '../../../src/stats/random.ts'

/** A Monday, some seconds after midnight: aligned windows do not start together with the calls. */
const START = Date.UTC(2026, 0, 5) + 12_345

export interface CallPattern {
  /** Calls per second while sending. */
  readonly perSecond: number
  readonly calls: number
  readonly seed: number
  /** Pauses after that many calls, for up to `restMs` milliseconds. */
  readonly restEvery?: number
  readonly restMs?: number
  /** Share of the calls that end in a 5xx or a timeout, half of them counted by the limit. */
  readonly failing?: number
}

const ONE_WAY_MS = 10
const JITTER_MS = 6

/** Sends calls as `pattern` says and records the server's verdict on each. */
export function recordCalls(server: Server, pattern: CallPattern): LimitCall[] {
  const { perSecond, calls, seed, restEvery = 40, restMs = 3000, failing = 0 } = pattern
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

/** The same limit with its windows shifted by `ms`. */
export const shiftWindows = (ms: number, limit: Limit): Limit => ({
  nextAt: (now) => limit.nextAt(now - ms) + ms,
  spend: (now) => limit.spend(now - ms),
  standing: (now) => limit.standing(now - ms),
})
