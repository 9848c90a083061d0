// Fits a limit on calls in flight.
import type { Calls } from './calls.ts'
import { PARAMETER_COST, type Fit } from './fit.ts'
import { atOnceLevels, type Levels } from './levels.ts'
import { bestCut } from './threshold.ts'

export function fitAtOnce(calls: Calls, episodes: number, levels: Levels): Fit {
  atOnceLevels(calls, levels)
  const cut = bestCut(calls, levels)
  return {
    kind: 'concurrency',
    variant: null,
    cost: cut.cost + PARAMETER_COST,
    cut,
    episodes,
    windowMs: undefined,
    perSecond: undefined,
    fill: atOnceLevels,
  }
}
