// One limit alone, of each kind, fitted to the record.
import type { LimitKind, LimitVariant } from '../../domain/limit.ts'
import type { Calls } from './calls.ts'
import type { Levels } from './levels.ts'
import type { Cut } from './threshold.ts'

/** A limit of known parameters: `threshold` calls, over a memory of `memory` (milliseconds, or calls a millisecond). */
export interface Fit {
  readonly kind: LimitKind
  readonly variant: LimitVariant | null
  /** Wrong fates and the parameters that were chosen to avoid them. */
  readonly cost: number
  readonly cut: Cut
  /** How often it was met. */
  readonly episodes: number
  /** Milliseconds, where it has a window. */
  readonly windowMs: Range | undefined
  readonly perSecond: Range | undefined
  /** Writes how full it was at each call. */
  readonly fill: (calls: Calls, levels: Levels) => void
}

export interface Range {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** What a parameter must save in wrong fates to be worth it (as in Schwarz's criterion). */
export const PARAMETER_COST = 0.75
