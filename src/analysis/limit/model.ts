// Which calls a fitted limit foretells, and which not.
import type { TriedModel } from '../../domain/limit.ts'
import type { Calls } from './calls.ts'
import type { Fit } from './fit.ts'
import { makeLevels } from './levels.ts'

const NEARLY = 1e-6

export function describeModel({ kind, variant, cost, cut, fill }: Fit, calls: Calls): TriedModel {
  const levels = makeLevels(calls.count)
  fill(calls, levels)
  const counts = [
    { all: 0, right: 0 },
    { all: 0, right: 0 },
  ] satisfies [object, object]
  for (let i = 0; i < calls.count; i += 1) {
    const refused = calls.refused[i] === 1
    const count = counts[refused ? 1 : 0]
    count.all += 1
    if ((levels.bound[i] ?? 0) > cut.threshold + NEARLY === refused) count.right += 1
  }
  const share = ({ all, right }: (typeof counts)[number]): number | null => (all === 0 ? null : right / all)
  return {
    kinds: [kind],
    variants: [variant],
    acceptedExplained: share(counts[0]),
    refusedExplained: share(counts[1]),
    cost,
  }
}
