// Which windows are worth trying on a record: round ones, those between its openings, and a ladder of others.
import type { Calls } from './calls.ts'
import type { Closure } from './closures.ts'
import { ladder } from './search.ts'

const SECOND = 1000
/** What people write into a configuration. */
export const ROUND_WINDOWS_MS = [
  0.1, 0.2, 0.25, 0.5, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 24, 25, 30, 40, 45, 50, 60, 75, 90, 100, 120, 150,
  180, 240, 300, 360, 600, 720, 900, 1200, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400,
].map((seconds) => seconds * SECOND)

export const WINDOW_STEP = 1.1
/** In a window shorter than so many times what the network may do nothing could be told. */
const LEAST_SLACKS = { alike: 10, 'call-by-call': 6 } as const
/** A call whose moment is in doubt may have parted what seems one time closed. */
const SURELY_CLOSED = { alike: 1, 'call-by-call': 0.45 } as const
const MOST_GAPS = 12
/** A window is no longer than so many times the longest time closed, or who met it was very careful. */
const LONGEST_OF_CLOSED = 200
/** An opening this far from where a window would turn, in windows, is none of its turns. */
const NEAR_TURN = 0.2

/** A window lasts at least as long as it was closed, and cannot be longer than the record. */
export function windowCandidates(
  calls: Calls,
  closures: readonly Closure[],
  closedMs: number,
  roundOnly = false,
): number[] {
  const spanMs = (calls.at[calls.count - 1] ?? 0) - (calls.at[0] ?? 0)
  const leastMs = SURELY_CLOSED[calls.reading] * closedMs
  const least = Math.max(LEAST_SLACKS[calls.reading] * calls.slackMs, 40, leastMs - 2 * calls.slackMs)
  const most = Math.min(spanMs, Math.max(LONGEST_OF_CLOSED * leastMs, 100 * least))
  const fits = (ms: number): boolean => ms >= least && ms <= most
  const rounds = ROUND_WINDOWS_MS.filter(fits)
  if (roundOnly) return rounds
  return [...rounds, ...ladder(least, most, WINDOW_STEP), ...gapsBetween(closures).filter(fits)]
}

/** Periods at which the openings come, made the more exact the more of them fall in. */
function gapsBetween(closures: readonly Closure[]): number[] {
  const openings = closures.flatMap((one) => one.openedAt ?? [])
  const gaps = openings.slice(1).map((at, place) => at - (openings[place] ?? 0))
  const step = Math.max(1, Math.floor(gaps.length / MOST_GAPS))
  return gaps
    .toSorted((a, b) => a - b)
    .filter((_, place) => place % step === 0)
    .flatMap((gap) => [gap, refine(openings, gap)])
}

function refine(openings: readonly number[], first: number): number {
  let period = first
  const origin = openings[0] ?? 0
  for (const at of openings) {
    const turns = Math.round((at - origin) / period)
    if (turns > 0 && Math.abs(at - origin - turns * period) < NEAR_TURN * period)
      period = (at - origin) / turns
  }
  return period
}
