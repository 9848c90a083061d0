// Fits a limit that others use, too: the memory as it was found without them, the size and their rate from the scatter.
import type { Calls } from './calls.ts'
import type { Closure } from './closures.ts'
import { PARAMETER_COST, type Fit, type Range } from './fit.ts'
import { sharedBucket, sharedLog, sharedWindow, type Crossing, type Shared } from './foreign.ts'
import { makeLevels, type Levels } from './levels.ts'
import type { Model } from './model.ts'
import { sharedBucketLevels, widen } from './shared-levels.ts'
import { cutAt } from './threshold.ts'

/** The crossing's own time must be known this well, as a part of the window. */
const SHARP = 0.12
const SHARED_COST = 2

export function fitShared(calls: Calls, closures: readonly Closure[], singles: readonly Fit[]): Model[] {
  const levels = makeLevels(calls.count)
  const tried = new Set<string>()
  const models: Model[] = []
  for (const fit of singles) {
    const key = `${fit.kind}/${fit.variant}`
    if (tried.has(key)) continue
    tried.add(key)
    const shared = shareOf(fit, calls, closures, levels)
    if (shared !== undefined) models.push(shared)
  }
  return models
}

function shareOf(fit: Fit, calls: Calls, closures: readonly Closure[], levels: Levels): Model | undefined {
  const { windowMs } = fit
  if (fit.kind === 'token-bucket') return bucketModel(fit, calls, closures, levels)
  if (windowMs === undefined) return undefined
  const isFixed = fit.kind === 'fixed-window'
  if (isFixed && fit.variant === 'first-call') return undefined
  if (!isFixed && fit.variant !== 'log') return undefined
  const ms = windowMs.value
  const crossings = crossingsOf(fit, calls, closures, levels)
  const shared = isFixed ? sharedWindow(crossings, ms) : sharedLog(apart(crossings, ms), ms)
  if (shared === undefined || shared.size.value < 1) return undefined
  const size = whole(shared.size)
  const { value: perMs } = shared.perMs
  const fill: Fit['fill'] = (some, into) => {
    fit.fill(some, into)
    const elapsed = (at: number): number => (isFixed ? sinceTurn(fit, at) : ms)
    widen(some, into, (at) => perMs * elapsed(at))
  }
  return asModel(fit, { ...shared, size }, { fill, perSecond: scale(size, 1000 / ms) }, calls, levels)
}

function bucketModel(
  fit: Fit,
  calls: Calls,
  closures: readonly Closure[],
  levels: Levels,
): Model | undefined {
  const first = closures[0]
  if (first === undefined) return undefined
  // The first burst shows the size, but for what the bucket gained meanwhile.
  const burst = calls.passedBefore[first.first] ?? 0
  const rate = sharedBucket(calls, closures, burst)
  if (rate === undefined) return undefined
  const ours = Math.max(0, rate.size.value - rate.perMs.value)
  const size = Math.max(1, burst - ours * ((calls.at[first.first] ?? 0) - (calls.at[0] ?? 0)))
  const shared = { ...rate, size: whole({ value: size, low: 0.8 * size, high: 1.2 * size }) }
  const fill: Fit['fill'] = (some, into) =>
    sharedBucketLevels(some, { ours, others: rate.perMs.value, size: shared.size.value }, into)
  return asModel(fit, shared, { fill, perSecond: scale(rate.size, 1000) }, calls, levels)
}

function asModel(
  fit: Fit,
  { size, perMs }: Shared,
  more: Pick<Fit, 'fill' | 'perSecond'>,
  calls: Calls,
  levels: Levels,
): Model {
  more.fill(calls, levels)
  const cut = { ...cutAt(calls, levels, size.value), low: size.low, high: size.high }
  const parameterCost = fit.parameterCost + PARAMETER_COST + SHARED_COST
  const tier: Fit = { ...fit, ...more, cut, cost: cut.cost + parameterCost, parameterCost }
  return { tiers: [tier], cost: tier.cost, foreign: scale(perMs, 1000) }
}

/** Where the limit closed: the first refusal of each closure that came soon after the last call let through. */
function crossingsOf(fit: Fit, calls: Calls, closures: readonly Closure[], levels: Levels): Crossing[] {
  fit.fill(calls, levels)
  const ms = fit.windowMs?.value ?? 0
  let turn = Number.NaN
  return closures.flatMap(({ first }): (Crossing & { at: number })[] => {
    if (first === 0) return []
    const at = calls.at[first] ?? 0
    const elapsedMs = sinceTurn(fit, at)
    // A window closes once: what is refused later in it says nothing new.
    if (fit.kind === 'fixed-window' && Math.abs(at - elapsedMs - turn) < 1) return []
    turn = at - elapsedMs
    if (at - (calls.at[first - 1] ?? 0) > SHARP * ms) return []
    const passed = (levels.middle[first] ?? 1) - 1
    return passed > 0 ? [{ passed, elapsedMs, at }] : []
  })
}

/** Crossings within one window see the same calls of others. */
function apart(crossings: readonly (Crossing & { at?: number })[], windowMs: number): Crossing[] {
  let last = Number.NEGATIVE_INFINITY
  return crossings.filter(({ at = 0 }) => {
    if (at - last < windowMs) return false
    last = at
    return true
  })
}

const sinceTurn = ({ turnsAt = 0, windowMs }: Fit, at: number): number => {
  const ms = windowMs?.value ?? 1
  return at - turnsAt - Math.floor((at - turnsAt) / ms) * ms
}
const whole = ({ value, low, high }: Range): Range => ({
  value: Math.max(1, Math.round(value)),
  low: Math.max(1, Math.floor(low)),
  high: Math.max(1, Math.ceil(high)),
})
const scale = ({ value, low, high }: Range, by: number): Range => ({
  value: value * by,
  low: low * by,
  high: high * by,
})
