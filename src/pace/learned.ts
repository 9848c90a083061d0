// What a policy has found out about a limit, so that another can go on from it: in another process, or tomorrow night.
import type { InferredLimit } from '../domain/limit.ts'

/** How often a limit was met, and by how many refused calls in all. */
export type Met = Pick<InferredLimit, 'episodes' | 'refusals'>

export interface Learned {
  /** Calls a second at that moment. */
  readonly pace: number
  /** What the limit was last measured to allow; undefined while it has not been met. */
  readonly capacity: number | undefined
  /** What it let through over a longer time, where that is known. */
  readonly sustained: number | undefined
  /** The limiter's memory (its window), milliseconds; 0 if unknown. */
  readonly memoryMs: number
  /** Calls at once, where the limit is on those. */
  readonly atOnce: number | undefined
  /** Calls admitted lately, and the time they took, milliseconds: since the window opened, where it is known to be one. */
  readonly recent: { readonly calls: number; readonly ms: number } | undefined
  /** Counted by all policies that went on from one another this night; undefined where nobody says. */
  readonly met: Met | undefined
}

/** `at`: now, by the clock of the policy that begins with it. */
export interface Beginning {
  readonly learned: Learned
  readonly at: number
}

/** A limit may have become lower since: the first calls of another night stay so far below it. */
const CAREFUL = 0.9

/**
 * What to begin another night with; undefined where the limit was never met. What was sent lately is over by then. Of the
 * latest measurement and what was kept up, the larger: a pace that is too high is refused and corrected within seconds,
 * one that is too low grows for minutes.
 */
export function forAnotherNight({ capacity, sustained = capacity, memoryMs }: Learned): Learned | undefined {
  if (capacity === undefined || sustained === undefined) return undefined
  const allowed = Math.max(capacity, sustained)
  return {
    pace: CAREFUL * allowed,
    capacity: allowed,
    sustained: allowed,
    memoryMs,
    // Whether it is one on calls at once is found anew: a wrong finding must not outlive the night.
    atOnce: undefined,
    recent: undefined,
    met: undefined,
  }
}
