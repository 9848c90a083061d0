// A limit of one rule or several: which calls it foretells, and which not.
import type { TriedModel } from '../../domain/limit-finding.ts'
import type { Calls } from './calls.ts'
import type { Fit, Range } from './fit.ts'
import { makeLevels } from './levels.ts'

export interface Model {
  /** Slowest in the long run first. */
  readonly tiers: readonly Fit[]
  readonly cost: number
  /** Calls a second of others, where the model has them. */
  readonly foreign?: Range
}

export interface Replay {
  /** Per call: 1 where its fate is as the model says, give or take the network. */
  readonly right: Uint8Array
  readonly acceptedExplained: number | null
  readonly refusedExplained: number | null
}

export function replay({ tiers }: Model, calls: Calls): Replay {
  const levels = makeLevels(calls.count)
  /** Tiers that may refuse the call. */
  const closed = new Uint8Array(calls.count)
  for (const tier of tiers) {
    tier.fill(calls, levels)
    for (let i = 0; i < calls.count; i += 1)
      if ((levels.bound[i] ?? 0) > tier.cut.threshold + 1e-6) closed[i] = 1
  }
  const counts = [
    [0, 0],
    [0, 0],
  ]
  const right = new Uint8Array(calls.count)
  for (let i = 0; i < calls.count; i += 1) {
    const refused = calls.refused[i] ?? 0
    if (closed[i] === refused) right[i] = 1
    const row = counts[refused]
    if (row === undefined) continue
    row[0] = (row[0] ?? 0) + 1
    row[1] = (row[1] ?? 0) + (right[i] ?? 0)
  }
  const share = ([all = 0, hits = 0]: readonly number[] = []): number | null =>
    all === 0 ? null : hits / all
  return { right, acceptedExplained: share(counts[0]), refusedExplained: share(counts[1]) }
}

export function describeModel(model: Model, calls: Calls): TriedModel {
  const { acceptedExplained, refusedExplained } = replay(model, calls)
  return {
    kinds: model.tiers.map(({ kind }) => kind),
    variants: model.tiers.map(({ variant }) => variant),
    acceptedExplained,
    refusedExplained,
    cost: model.cost,
  }
}
