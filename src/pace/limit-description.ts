// What a run has shown of the limit so far: the rate it kept up, not the last thing that was measured.
import type { InferredLimit } from '../domain/limit.ts'
import type { Admissions } from './admissions.ts'

/** A rate is taken between openings that are so many calls apart; before that the last measurement stands. */
const FEWEST_CALLS = 100

export interface LimitLog {
  onOpening(opening: OpeningSeen): void
  /** Undefined while the limit has shown nothing of what it lets through. */
  describe(known: KnownOfLimit): InferredLimit | undefined
}

export interface OpeningSeen {
  /** When the probe that was admitted was sent, and the call that was refused last. */
  readonly at: number
  readonly lastRefusalAt: number
  readonly capacity: number
  /** After a long wait, as at the turn of a window. */
  readonly isTurn: boolean
}

export interface KnownOfLimit {
  /** Calls a second that this process was last measured to be allowed. */
  readonly capacity: number
  /** The limiter's memory, milliseconds; 0 if unknown. */
  readonly memoryMs: number
  /** Calls in flight at most; Infinity for no such limit. */
  readonly cap: number
  readonly isStated: boolean
  readonly episodes: number
  readonly refusals: number
}

export function createLimitLog(admissions: Admissions): LimitLog {
  const openings: number[] = []
  /** Those after which the whole of a window was there again: only between them is the rate of a window exact. */
  const turns: number[] = []
  let burst: number | undefined

  /**
   * Calls a second between two openings: at both the limit had just been used up, so that neither what was saved up
   * before nor the ramp counts. The later half of the run, where that is long enough: a limit may have changed.
   */
  const sustained = (between: readonly number[]): number | undefined => {
    const [first, last] = [between[0], between.at(-1)]
    if (first === undefined || last === undefined) return undefined
    const half = between.find((at) => at >= (first + last) / 2) ?? first
    for (const from of [half, first]) {
      const calls = admissions.count(from, last) - 1
      if (calls >= FEWEST_CALLS) return (calls * 1000) / (last - from)
    }
    return undefined
  }

  return {
    onOpening: ({ at, lastRefusalAt, capacity, isTurn }) => {
      openings.push(at)
      if (isTurn) turns.push(at)
      const firstAt = admissions.firstAt ?? at
      const passed = admissions.count(firstAt, lastRefusalAt)
      burst ??= Math.max(0, Math.round(passed - (capacity * (lastRefusalAt - firstAt)) / 1000))
    },
    describe: ({ capacity, memoryMs, cap, isStated, episodes, refusals }) => {
      const isAtOnce = cap < Infinity
      if (openings.length === 0 && !isStated && !isAtOnce) return undefined
      const shown = isStated ? undefined : sustained(memoryMs > 0 ? turns : openings)
      return {
        kind: isAtOnce ? 'at-once' : isStated ? 'stated' : memoryMs > 0 ? 'window' : 'rate',
        perSecond: isAtOnce ? null : (shown ?? capacity),
        windowMs: memoryMs > 0 ? memoryMs : null,
        burst: burst ?? null,
        atOnce: isAtOnce ? cap : null,
        episodes,
        refusals,
      }
    },
  }
}
