// How much a page holds: beyond it what matters comes before the rest, though nobody knows yet how much is to come.
import type { PageRow } from '../../domain/page-data.ts'

/** `units`: UTF-16 code units of the turns as JSON. */
export interface PageLimits {
  readonly turns: number
  readonly units: number
  /** Of both, the share that turns may take in which nothing happened: the rest is kept for those that matter. */
  readonly ordinaryShare: number
}

/** Measured: full of answers of 800 signs such a page has 76 MB, opens in 2 s and takes the browser 350 MB. */
export const PAGE_LIMITS: PageLimits = { turns: 120_000, units: 160_000_000, ordinaryShare: 0.85 }

/** Changed, failed, a gap, an error, flaky, or waiting for a review. */
export function matters({
  passed,
  grounded,
  outcome,
  flaky,
  contextLost,
  reviewed,
  changed,
}: PageRow): boolean {
  return (
    passed === false ||
    grounded === false ||
    outcome !== 'answered' ||
    flaky ||
    contextLost ||
    (reviewed !== null && reviewed.state !== 'carried') ||
    (changed !== null && (changed.presence !== 'both' || changed.kinds.length > 0))
  )
}

export interface Room {
  /** Whether a turn of that size still fits; if so, it is counted. */
  readonly take: (isMattering: boolean, units: number) => boolean
}

export function createRoom({ turns, units, ordinaryShare }: PageLimits): Room {
  let [takenTurns, takenUnits] = [0, 0]
  return {
    take: (isMattering, size) => {
      const share = isMattering ? 1 : ordinaryShare
      if (takenTurns + 1 > turns * share || takenUnits + size > units * share) return false
      takenTurns += 1
      takenUnits += size
      return true
    },
  }
}
