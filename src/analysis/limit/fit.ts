// Fits each kind of limit to a record of calls: finds the parameters whose replay explains the most verdicts.
import type { LimitCall, LimitKind } from '../../domain/limit.ts'
import { bucketLevels, inFlightLevels, type Levels, windowLevels } from './levels.ts'
import { bestSize, isExplained, type SizeFit, NEAR_COST, type FittedRange, searchBest } from './search.ts'
import type { Streak, Sequence } from './sequence.ts'

/** The best parameters for one kind of limit. The cost includes the number of parameters. */
export interface Fit extends SizeFit {
  readonly kind: LimitKind
  /** The fixed window starts at multiples of its length on the clock. */
  readonly aligned: boolean
  readonly windowMs?: FittedRange
  readonly perSecond?: FittedRange
  readonly replay: (calls: Sequence, levels: Levels) => void
}

/** Wrong verdicts that a parameter must save to be worth it (as in Schwarz's criterion, 1978). */
const PARAMETER_COST = 0.75

const levelsFor = ({ count }: Sequence): Levels => ({
  middle: new Float64Array(count),
  bound: new Float64Array(count),
})

/** A stall of either machine delays a few calls by this much. */
const STALL_MS = 150

/** The calls whose verdict the fit does not explain, not even with a stall. */
export function unexplainedBy({ size, replay }: Fit, calls: Sequence): LimitCall[] {
  const levels = levelsFor(calls)
  replay({ ...calls, toleranceMs: Math.max(calls.toleranceMs, STALL_MS) }, levels)
  return calls.calls.filter((_, i) => !isExplained(calls, levels, size.value, i))
}

/** Sorts the fits by cost. Empty if nothing was accepted or nothing was refused. */
export function fitLimits(calls: Sequence): Fit[] {
  if (calls.streaks.length === 0 || calls.accepted.at.length === 0) return []
  const levels = levelsFor(calls)
  inFlightLevels(calls, levels)
  const { cost, ...inFlight } = bestSize(calls, levels)
  const fits: Fit[] = [
    {
      kind: 'concurrency',
      aligned: false,
      ...inFlight,
      replay: inFlightLevels,
      cost: cost + PARAMETER_COST,
    },
    ...fitBucket(calls, levels),
  ]
  const candidates = windowCandidates(calls)
  for (const shape of windowShapes(calls)) {
    // Fits with a higher cost on the coarse grid are not refined.
    const maxCost = 2 * Math.min(...fits.map((fit) => fit.cost)) + 8
    fits.push(...fitWindows(calls, shape, candidates, maxCost, levels))
  }
  return fits.sort((one, other) => one.cost - other.cost)
}

interface WindowShape {
  readonly kind: 'fixed-window' | 'sliding-window'
  readonly aligned: boolean
  readonly parameters: number
  readonly startOf: (windowMs: number) => (moment: number) => number
}

function windowShapes(calls: Sequence): WindowShape[] {
  const startAt = (phase: number, windowMs: number) => (moment: number) =>
    phase + Math.floor((moment - phase) / windowMs) * windowMs
  const sliding = { kind: 'sliding-window', aligned: false, parameters: 2 } as const
  const fixed = { kind: 'fixed-window', aligned: false, parameters: 2 } as const
  return [
    { ...sliding, startOf: (windowMs) => (moment) => moment - windowMs },
    { ...fixed, aligned: true, startOf: (windowMs) => startAt(0, windowMs) },
    { ...fixed, startOf: (windowMs) => openedByCalls(calls, windowMs) },
    { ...fixed, parameters: 3, startOf: (windowMs) => startAt(phaseOf(calls.streaks, windowMs), windowMs) },
  ]
}

function openedByCalls({ accepted, toleranceMs }: Sequence, windowMs: number): (moment: number) => number {
  const openings: number[] = []
  for (const at of accepted.at)
    if (at >= (openings.at(-1) ?? -Infinity) + windowMs - toleranceMs / 2) openings.push(at)
  let index = 0
  return (moment) => {
    while ((openings[index + 1] ?? Infinity) <= moment) index += 1
    while (index > 0 && (openings[index] ?? 0) > moment) index -= 1
    const start = openings[index] ?? moment
    // A window includes the call that opens it, however the network moved that call.
    return moment < start + windowMs ? start - toleranceMs / 2 : moment
  }
}

/** The phase comes from this many openings, the most precise ones. One of them may have another cause. */
const PHASE_OPENINGS = 9

/** Finds when windows off the clock start: each opening lies between a refusal and the next accepted call. */
function phaseOf(streaks: readonly Streak[], windowMs: number): number {
  const openings = streaks
    .map(({ lastAt, reopenedAt = Infinity }) => ({ reopenedAt, doubtMs: reopenedAt - lastAt }))
    .filter(({ doubtMs }) => doubtMs < windowMs / 2)
    .sort((one, other) => one.doubtMs - other.doubtMs)
    .slice(0, PHASE_OPENINGS)
  const first = openings[0]?.reopenedAt ?? 0
  const offsets = openings.map(({ reopenedAt, doubtMs }) => {
    const latest = reopenedAt - first - Math.round((reopenedAt - first) / windowMs) * windowMs
    return { latest, earliest: latest - doubtMs }
  })
  const spare = Math.floor(offsets.length / PHASE_OPENINGS)
  const latest = offsets.map((one) => one.latest).sort((a, b) => a - b)[spare] ?? 0
  const earliest = offsets.map((one) => one.earliest).sort((a, b) => b - a)[spare] ?? 0
  return first + (latest + earliest) / 2
}

function fitWindows(
  calls: Sequence,
  { kind, aligned, parameters, startOf }: WindowShape,
  candidates: readonly number[],
  maxCost: number,
  levels: Levels,
): Fit[] {
  const rounds = candidates.filter((ms) => ROUND_WINDOWS_MS.includes(ms))
  const score = (windowMs: number): SizeFit => {
    windowLevels(calls, startOf(windowMs), levels)
    return bestSize(calls, levels)
  }
  // Windows on the clock are known only by when they start, which differs for each length: only round ones
  // are tried.
  const found = aligned ? bestOf(rounds, score) : searchBest(candidates, score, maxCost)
  if (found === undefined) return []
  const near = rounds.filter((ms) => ms >= found.low && ms <= found.high)
  const round = bestOf(near, score)
  const windowMs = { ...found, value: round?.value ?? found.value }
  const fit = score(windowMs.value)
  // A window of one call is the same as a token bucket of one.
  if (fit.size.value === 1) return []
  const perSecond = {
    value: (1000 * fit.size.value) / windowMs.value,
    low: (1000 * fit.size.low) / windowMs.high,
    high: (1000 * fit.size.high) / windowMs.low,
  }
  const chosen = parameters + (round === undefined ? PARAMETERS_OF_ODD_WINDOW : 0)
  const replay: Fit['replay'] = (some, into) => windowLevels(some, startOf(windowMs.value), into)
  return [{ kind, aligned, ...fit, windowMs, perSecond, replay, cost: fit.cost + chosen * PARAMETER_COST }]
}

function bestOf(candidates: readonly number[], score: (value: number) => SizeFit): FittedRange | undefined {
  const costs = candidates.map((value) => score(value).cost)
  const minCost = Math.min(...costs)
  const value = candidates[costs.indexOf(minCost)]
  const asGood = candidates.filter((_, index) => (costs[index] ?? 0) < minCost + NEAR_COST)
  return value === undefined ? undefined : { value, low: Math.min(...asGood), high: Math.max(...asGood) }
}

/** People choose round windows, so another length costs two parameters more. */
const PARAMETERS_OF_ODD_WINDOW = 2

export const ROUND_WINDOWS_MS = [
  0.1, 0.2, 0.25, 0.5, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 24, 25, 30, 40, 45, 50, 60, 75, 90, 100, 120, 150,
  180, 240, 300, 360, 600, 720, 900, 1200, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400,
].map((seconds) => seconds * 1000)

/** A window of fewer tolerances cannot be distinguished from no window. */
const MIN_WINDOW_TOLERANCES = 10
const MIN_WINDOW_MS = 40
/** The record shows no end of longer windows than this many times the longest streak of refusals. */
const MAX_WINDOW_STREAKS = 200
const WINDOW_STEP = 1.1

/** Lists round windows and a geometric series; none is shorter than the longest streak of refusals. */
function windowCandidates({ at, count, streaks, toleranceMs }: Sequence): number[] {
  const spanMs = (at[count - 1] ?? 0) - (at[0] ?? 0)
  const streakMs = Math.max(...streaks.map(({ firstAt, lastAt }) => lastAt - firstAt))
  const minMs = Math.max(MIN_WINDOW_TOLERANCES * toleranceMs, MIN_WINDOW_MS, streakMs - 2 * toleranceMs)
  const maxMs = Math.min(spanMs, Math.max(MAX_WINDOW_STREAKS * streakMs, 100 * minMs))
  return [...ROUND_WINDOWS_MS, ...ladder(minMs, maxMs, WINDOW_STEP)].filter(
    (ms) => ms >= minMs && ms <= maxMs,
  )
}

const RATE_STEP = 1.1

function fitBucket(calls: Sequence, levels: Levels): Fit[] {
  const { streaks, toleranceMs, accepted } = calls
  const score = (perMs: number): SizeFit => {
    bucketLevels(calls, perMs, levels)
    const fit = bestSize(calls, levels)
    // A bucket that refills within the network's tolerance would explain any record.
    return fit.size.value < perMs * toleranceMs ? { ...fit, cost: Infinity } : fit
  }
  const spanMs = (calls.at[calls.count - 1] ?? 0) - (calls.at[0] ?? 0)
  const mean = accepted.at.length / Math.max(1, spanMs)
  const candidates = [...ratesBetween(streaks), ...ladder(mean / 20, mean * 20, RATE_STEP)]
  const found = searchBest(candidates, score)
  const fit = found && score(found.value)
  if (found === undefined || fit === undefined || fit.cost === Infinity) return []
  const perSecond = { value: 1000 * found.value, low: 1000 * found.low, high: 1000 * found.high }
  const replay: Fit['replay'] = (some, into) => bucketLevels(some, found.value, into)
  const cost = fit.cost + 2 * PARAMETER_COST
  return [{ kind: 'token-bucket', aligned: false, ...fit, perSecond, replay, cost }]
}

const SPANS = [1, 2, 4, 8, 16, 32]
const QUANTILES = [0.25, 0.5, 0.75, 0.9, 1]

/** Calls accepted per millisecond between two streaks of refusals: the bucket was empty at both. */
function ratesBetween(streaks: readonly Streak[]): number[] {
  const spans = [...SPANS, streaks.length - 1].filter((span) => span > 0 && span < streaks.length)
  return spans.flatMap((span) => {
    const rates = streaks
      .slice(span)
      .flatMap((to, index) => {
        const from = streaks[index] ?? to
        const rate = (to.accepted - from.accepted) / (to.lastAt - from.lastAt)
        return rate > 0 && rate < Infinity ? [rate] : []
      })
      .sort((a, b) => a - b)
    return QUANTILES.flatMap((quantile) => rates[Math.round(quantile * (rates.length - 1))] ?? [])
  })
}

function ladder(low: number, high: number, step: number): number[] {
  if (low <= 0 || high < low) return []
  const steps = Math.floor(Math.log(high / low) / Math.log(step))
  return Array.from({ length: steps + 1 }, (_, nth) => low * step ** nth)
}
