// Fits limits that have a window: fixed ones by the clock or not, sliding ones exact or counted.
import type { Calls } from './calls.ts'
import { sharpestOpenings, type Closure } from './closures.ts'
import { PARAMETER_COST, type Fit, type Range } from './fit.ts'
import type { Levels } from './levels.ts'
import { ladder, searchBest, type Found } from './search.ts'
import { bestCut, NEARLY_AS_GOOD, type Cut } from './threshold.ts'
import { ROUND_WINDOWS_MS, windowCandidates, WINDOW_STEP } from './window-candidates.ts'
import { windowShapes, type WindowShape } from './window-shapes.ts'

const OPENINGS_TRIED = 2
/** Near the window that was found, when the time of its turn is moved. */
const NEAR = 1.04
const NEAR_STEP = 1.01
/** A shape that explains so much less than the best is not searched any finer. */
const RULED_OUT_RATIO = 2
const RULED_OUT = 8

export function fitWindows(calls: Calls, closures: readonly Closure[], levels: Levels): Fit[] {
  const longest = Math.max(0, ...closures.map(({ lastedMs }) => lastedMs))
  const scoreOf =
    ({ fill }: WindowShape) =>
    (windowMs: number): Cut => {
      fill(calls, windowMs, levels)
      return bestCut(calls, levels)
    }
  const coarse = windowShapes(calls, sharpestOpenings(closures, OPENINGS_TRIED)).flatMap((shape) => {
    const candidates = windowCandidates(calls, closures, longest * shape.leastOfClosure, shape.roundOnly)
    return bestOf(candidates, scoreOf(shape), shape) ?? []
  })
  const least = Math.min(...coarse.map(({ at }) => at.cost))
  return coarse.flatMap((first) => {
    const isOut = first.at.cost > RULED_OUT_RATIO * least + RULED_OUT || first.shape.roundOnly === true
    return describe(isOut ? first : refine(first, scoreOf), scoreOf, closures.length)
  })
}

function refine(first: OfShape, scoreOf: (shape: WindowShape) => (windowMs: number) => Cut): OfShape {
  const { shape, value } = first
  const found = searchBest([value], WINDOW_STEP, scoreOf(shape))
  const centre = found?.value ?? value
  const near = ladder(centre / NEAR, centre * NEAR, NEAR_STEP)
  const moved = (shape.moved ?? []).flatMap((other) => {
    const one = searchBest(near, NEAR_STEP, scoreOf(other))
    return one === undefined ? [] : [{ ...one, shape: other }]
  })
  return join([...(found === undefined ? [first] : [{ ...found, shape }]), ...moved])
}

interface OfShape extends Found<Cut> {
  readonly shape: WindowShape
}

/** The best, with the bounds of all that are nearly as good. At least one. */
function join(found: readonly OfShape[]): OfShape {
  const best = found.reduce((least, one) => (one.at.cost < least.at.cost ? one : least))
  const near = found.filter(({ at }) => at.cost < best.at.cost + NEARLY_AS_GOOD)
  return {
    ...best,
    low: Math.min(...near.map(({ low }) => low)),
    high: Math.max(...near.map(({ high }) => high)),
  }
}

function describe(
  found: OfShape,
  scoreOf: (shape: WindowShape) => (windowMs: number) => Cut,
  episodes: number,
): Fit[] {
  const { shape, low, high } = found
  const { value, at } = roundIfAsGood(found, scoreOf(shape))
  return [
    {
      kind: shape.kind,
      variant: shape.variant,
      cost: at.cost + shape.parameters * PARAMETER_COST,
      cut: at,
      episodes,
      windowMs: { value, low, high },
      perSecond: rateOf(at, { value, low, high }),
      fill: (some, into) => shape.fill(some, value, into),
    },
  ]
}

function bestOf(
  candidates: readonly number[],
  score: (ms: number) => Cut,
  shape: WindowShape,
): OfShape | undefined {
  let best: OfShape | undefined
  for (const value of candidates) {
    const at = score(value)
    if (best === undefined || at.cost < best.at.cost) best = { value, low: value, high: value, at, shape }
  }
  return best
}

/** People choose round windows: one within the bounds that explains as much is the likelier. */
function roundIfAsGood(found: OfShape, score: (ms: number) => Cut): { value: number; at: Cut } {
  const rounds = ROUND_WINDOWS_MS.filter((ms) => ms >= found.low && ms <= found.high)
  const scored = rounds.map((value) => ({ value, at: score(value) }))
  return scored.find(({ at }) => at.cost <= found.at.cost + 0.5) ?? found
}

function rateOf({ threshold, low, high }: Cut, windowMs: Range): Range {
  return {
    value: (1000 * threshold) / windowMs.value,
    low: (1000 * low) / windowMs.high,
    high: (1000 * high) / windowMs.low,
  }
}
