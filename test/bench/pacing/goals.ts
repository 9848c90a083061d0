// The goals of the design study for each class, and which of them are missed.
import type { ScenarioClass } from './scenarios.ts'

export interface Measured {
  /** Time at an even sustained rate ÷ our time, percent. */
  readonly share: number
  /** 429s ÷ attempts, percent. */
  readonly refused: number
  /** Accepted ÷ sent calls of other traffic on the same limit, percent; undefined without other traffic. */
  readonly others: number | undefined
}

export interface Goal {
  /** At 1,000 calls: minimum share, maximum of 429s. */
  readonly known?: readonly [number, number]
  /** Minimum share at 1,000 calls or more, then the maximum of 429s for each of `GOAL_CALLS`. */
  readonly auto?: readonly [number, number, number, number]
  /** Number of calls from which the share counts. */
  readonly fromCalls?: number
  /** Minimum share of accepted calls of other traffic, at 5,000 calls of ours. */
  readonly others?: number
}

export const GOAL_CALLS = [200, 1000, 5000] as const

export const goals: Record<ScenarioClass, Goal> = {
  'single window, log, counter': { known: [98, 0.2], auto: [95, 4, 2, 1] },
  'windows up to 2 s': { known: [98, 0.2], auto: [90, 4, 2, 1] },
  'bucket, GCRA, two-tier': { known: [98, 0.2], auto: [95, 4.5, 2, 1] },
  concurrency: { auto: [95, 4.5, 1.5, 0.7] },
  'honest Retry-After or Reset': { known: [98, 0.1], auto: [95, 2.5, 1.5, 0.6] },
  'RateLimit-Policy': { known: [98, 0.1], auto: [98, 0.1, 0.1, 0.1] },
  'misleading Retry-After': { known: [98, 0], auto: [93, 3, 2, 0.7] },
  competition: { known: [90, 4], auto: [95, 5, 5, 5], others: 90 },
  // The design study has goals only at 5,000 calls: with fewer, the step itself is most of the run.
  'limit step': { auto: [80, 3, 3, 3], fromCalls: 5000 },
  'GCRA without burst': {},
}

/** `at`: our figures without a known rate, for each of `GOAL_CALLS`; `known`: with a known rate, at 1,000 calls. */
export function verdict(goal: Goal, at: readonly (Measured | undefined)[], known?: Measured): string {
  if (goal.auto === undefined && goal.known === undefined) return 'no goal'
  const misses: string[] = []
  const least = (what: string, value: number | undefined, goalValue: number): void => {
    if (value !== undefined && value < goalValue) misses.push(`${what}: ${value.toFixed(1)} < ${goalValue}`)
  }
  const most = (what: string, value: number | undefined, goalValue: number): void => {
    if (value !== undefined && value > goalValue) misses.push(`${what}: ${value.toFixed(2)} > ${goalValue}`)
  }
  for (const [place, calls] of GOAL_CALLS.entries()) {
    const one = at[place]
    const refused = goal.auto?.[place + 1]
    if (refused !== undefined) most(`429s at ${calls}`, one?.refused, refused)
    if (goal.auto !== undefined && calls >= Math.max(1000, goal.fromCalls ?? 0))
      least(`share at ${calls}`, one?.share, goal.auto[0])
    if (goal.others !== undefined && calls === 5000) least(`competitor at ${calls}`, one?.others, goal.others)
  }
  if (goal.known !== undefined) {
    least('known share', known?.share, goal.known[0])
    most('known 429s', known?.refused, goal.known[1])
  }
  return misses.length === 0 ? 'reached' : `below: ${misses.join('; ')}`
}
