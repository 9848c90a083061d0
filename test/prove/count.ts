// Simulates the pairs of runs of one line, and counts what became of them.
import { detectableDrop, reviewShares } from '../../src/analysis/comparison/shares.ts'
import { ALPHA_EACH, failedRulesFast, flipsOf, MARGIN, valuesOf } from './gate.ts'
import type { Drop } from './drop.ts'
import { simulateRuns, type Simulation } from './simulate.ts'

/** What to simulate and what to count of it. */
export type Line = { readonly name: string; readonly setting: Omit<Simulation, 'seed' | 'drop'> } & (
  | { readonly kind: 'same' }
  | { readonly kind: 'level' }
  | {
      readonly kind: 'power'
      /** The share that is lost; undefined: just what the gate states that it sees with 80 % power. */
      readonly share?: number
      readonly of: Drop['of']
      readonly by: Drop['by']
      readonly margin?: number
    }
)

/** Sums over pairs of runs. */
export interface Counts {
  readonly pairs: number
  /** The gate failed; of a planted drop: for the rule that it breaks. */
  readonly failed: number
  /** Shares that were planted. */
  readonly drop: number
  /** Sign flips found a difference of grounding at 5 %, and the 95 % interval held the true one. */
  readonly flips: number
  readonly held: number
}

export const NONE: Counts = { pairs: 0, failed: 0, drop: 0, flips: 0, held: 0 }

export function add(some: Counts, other: Counts): Counts {
  const sum = (what: keyof Counts): number => some[what] + other[what]
  return {
    pairs: sum('pairs'),
    failed: sum('failed'),
    drop: sum('drop'),
    flips: sum('flips'),
    held: sum('held'),
  }
}

export function countPair(line: Line, seed: number): Counts {
  const like = simulateRuns({ ...line.setting, seed })
  const judged = valuesOf(like)
  if (line.kind === 'same') {
    const failed = failedRulesFast(judged, { seed }).length > 0
    return { ...NONE, pairs: 1, failed: Number(failed) }
  }
  if (line.kind === 'level') {
    const { difference } = reviewShares(judged.grounding, seed)
    const isHeld = difference !== null && (difference.low ?? -1) <= 0 && (difference.high ?? 1) >= 0
    const isFound = flipsOf(judged.grounding) <= 0.05
    return { ...NONE, pairs: 1, flips: Number(isFound), held: Number(isHeld) }
  }
  const { of, by, margin = MARGIN } = line
  // What the gate says of two like runs over this set, and then whether it sees the drop in two others.
  const share = line.share ?? detectableDrop(judged[of], ALPHA_EACH, margin) ?? undefined
  if (share === undefined) throw new Error('the gate states no drop for such a set')
  const changed = simulateRuns({ ...line.setting, seed, drop: { share, of, by } })
  const failed = failedRulesFast(valuesOf(changed), { seed, margin }).includes(of)
  return { ...NONE, pairs: 1, failed: Number(failed), drop: share }
}
