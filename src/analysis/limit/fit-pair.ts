// Two limits at once, such as 10 a second and 200 a minute: short closures are the work of one, long ones of the other.
import type { Calls } from './calls.ts'
import type { Closure } from './closures.ts'
import { fitSingle } from './fit-single.ts'
import type { Fit } from './fit.ts'
import { makeLevels } from './levels.ts'
import type { Model } from './model.ts'
import { EXCUSED } from './threshold.ts'

/** Closures fall into two sorts where the longer are this many times as long. */
const APART = 2.5
const SPLITS_TRIED = 2
/** Of each of the two, so many fits are tried together. */
const FITS_TRIED = 3
const PAIR_COST = 1

export function fitPair(calls: Calls, closures: readonly Closure[]): Model[] {
  return splitsOf(closures).flatMap((leastLong) => {
    const [short, long] = [
      closures.filter((one) => one.withinMs < leastLong),
      closures.filter((one) => one.withinMs >= leastLong),
    ]
    const fast = fitSingle(calls, short, maskOf(calls, long)).slice(0, FITS_TRIED)
    const slow = fitSingle(calls, long, maskOf(calls, short)).slice(0, FITS_TRIED)
    return fast.flatMap((one) => slow.map((other) => together(calls, [other, one])))
  })
}

/** Durations from which a closure counts as long, at the widest gaps between one and the next. */
function splitsOf(closures: readonly Closure[]): number[] {
  const lasted = closures.map((one) => Math.max(1, one.withinMs)).toSorted((a, b) => a - b)
  return lasted
    .flatMap((ms, place) => {
      const ratio = place === 0 ? 1 : ms / (lasted[place - 1] ?? ms)
      return ratio >= APART ? [{ ms, ratio }] : []
    })
    .toSorted((a, b) => b.ratio - a.ratio)
    .slice(0, SPLITS_TRIED)
    .map(({ ms }) => ms)
}

function maskOf(calls: Calls, closures: readonly Closure[]): Uint8Array {
  const mask = new Uint8Array(calls.count)
  for (const { first, last } of closures) mask.fill(1, first, last + 1)
  return mask
}

/** Both must allow a call. */
function together(calls: Calls, tiers: readonly Fit[]): Model {
  const levels = makeLevels(calls.count)
  const closed = new Uint8Array(calls.count)
  const closedAtMiddle = new Uint8Array(calls.count)
  for (const tier of tiers) {
    tier.fill(calls, levels)
    for (let i = 0; i < calls.count; i += 1) {
      if ((levels.bound[i] ?? 0) > tier.cut.threshold + 1e-6) closed[i] = 1
      if ((levels.middle[i] ?? 0) > tier.cut.threshold + 1e-6) closedAtMiddle[i] = 1
    }
  }
  let wrong = 0
  for (let i = 0; i < calls.count; i += 1) {
    const weight = calls.weight[i] ?? 1
    if (closed[i] !== calls.refused[i]) wrong += weight
    if (closedAtMiddle[i] !== calls.refused[i]) wrong += EXCUSED * weight
  }
  const slowestFirst = tiers.toSorted((one, other) => rateOf(one) - rateOf(other))
  const parameters = tiers.reduce((sum, tier) => sum + tier.parameterCost, 0)
  return { tiers: slowestFirst, cost: wrong + parameters + PAIR_COST }
}

/** A limit on calls at once has no rate of its own. */
const rateOf = ({ perSecond }: Fit): number => perSecond?.value ?? Infinity
