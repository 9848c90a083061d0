// Fits each kind of limit to a record of calls: finds the rule whose replay explains the most verdicts.
import type { LimitCall, LimitGuess } from '../../domain/limit.ts'
import { bucketLevels, inFlightLevels, type Levels, weightedLevels, windowLevels } from './levels.ts'
import { ACCEPTED, REFUSED, type Sequence, UNKNOWN } from './sequence.ts'

type Replay = (calls: Sequence, levels: Levels) => void

interface Fit {
  /** Counts calls in a window, in a full bucket, or in flight. */
  readonly size: number
  /** Wrong verdicts, a tenth for each that only the tolerance explains, and the parameters. */
  readonly cost: number
  /** Share of the refusals that it explains without the tolerance. */
  readonly firm: number
}

export interface Rule extends LimitGuess, Fit {
  /** Calls that it sustains; of calls in flight, by the time that they take. */
  readonly perSecond: number
  readonly replay: Replay
}

const levelsFor = ({ count }: Sequence): Levels => ({
  middle: new Float64Array(count),
  bound: new Float64Array(count),
})

/** A stall of either machine delays a few calls by this much. */
const STALL_MS = 150

/** The calls whose verdict the rule does not explain, not even with a stall. */
export function unexplainedBy({ size, replay }: Rule, calls: Sequence): LimitCall[] {
  const levels = levelsFor(calls)
  replay({ ...calls, toleranceMs: Math.max(calls.toleranceMs, STALL_MS) }, levels)
  return calls.calls.filter((_, i) => {
    const isOver = Math.ceil((levels.bound[i] ?? 0) - ROUNDING) > size
    return calls.verdict[i] !== UNKNOWN && isOver !== (calls.verdict[i] === REFUSED)
  })
}

/** Wrong verdicts that a parameter must save to be worth it (as in Schwarz's criterion, 1978). */
const PARAMETER_COST = 0.75

/** Lists rules, the one with the lowest cost first; none if nothing was accepted or nothing was refused. */
export function fitRules(calls: Sequence): Rule[] {
  if (calls.streaks.length === 0 || calls.accepted.at.length === 0) return []
  const levels = levelsFor(calls)
  const fit = (replay: Replay, parameters: number): Fit & { readonly replay: Replay } => {
    replay(calls, levels)
    const best = bestSize(calls, levels)
    return { ...best, cost: best.cost + parameters * PARAMETER_COST, replay }
  }
  const inFlight = { kind: 'concurrency', ...fit(inFlightLevels, 2) } as const
  const accepted = calls.calls.filter(({ verdict }) => verdict === 'accepted')
  const busyMs = accepted.reduce((sum, { sentAt, endedAt }) => sum + endedAt - sentAt, 0)
  const perSecond = (1000 * inFlight.size * accepted.length) / Math.max(1, busyMs)
  const windows = windowCandidates(calls).flatMap((windowMs) =>
    windowReplays(calls, windowMs).map((replay): Rule => {
      const fitted = fit(replay, 2)
      return { kind: 'window', windowMs, perSecond: (1000 * fitted.size) / windowMs, ...fitted }
    }),
  )
  const bucket = fitBucket(calls, (perMs) => fit((some, into) => bucketLevels(some, perMs, into), 2))
  // A window of one call is the same as a bucket of one.
  const rates = [...bucket, ...windows.filter(({ size }) => size > 1)]
  return [...rates, { ...inFlight, perSecond }].sort((a, b) => a.cost - b.cost)
}

/** A verdict that only the tolerance explains costs this; a wrong one costs 1. */
const TOLERATED = 0.1
const ROUNDING = 1e-6

/** The smallest size that explains the most verdicts: accepted up to it, refused above. */
function bestSize({ count, verdict }: Sequence, { bound, middle }: Levels): Fit {
  let highest = 1
  for (let i = 0; i < count; i += 1) highest = Math.max(highest, bound[i] ?? 0, middle[i] ?? 0)
  const sizes = Math.ceil(highest) + 2
  const countUpTo = (code: number, levels: Float64Array): Float64Array => {
    const counts = new Float64Array(sizes)
    for (let i = 0; i < count; i += 1) {
      const size = Math.ceil((levels[i] ?? 0) - ROUNDING)
      if (verdict[i] === code) counts[size] = (counts[size] ?? 0) + 1
    }
    for (let size = 1; size < sizes; size += 1) counts[size] = (counts[size] ?? 0) + (counts[size - 1] ?? 0)
    return counts
  }
  const [accepted, refused] = [countUpTo(ACCEPTED, bound), countUpTo(REFUSED, bound)]
  const [acceptedFirmly, refusedAtMost] = [countUpTo(ACCEPTED, middle), countUpTo(REFUSED, middle)]
  const allAccepted = accepted[sizes - 1] ?? 0
  const allRefused = Math.max(1, refused[sizes - 1] ?? 0)
  let best: Fit = { size: 1, cost: Infinity, firm: 0 }
  for (let size = 1; size < sizes; size += 1) {
    const wrong = allAccepted - (accepted[size] ?? 0) + (refused[size] ?? 0)
    const tolerated = allAccepted - (acceptedFirmly[size] ?? 0) + (refusedAtMost[size] ?? 0)
    const cost = wrong + TOLERATED * tolerated
    const firm = 1 - (refusedAtMost[size] ?? 0) / allRefused
    if (cost < best.cost - ROUNDING) best = { size, cost, firm }
  }
  return best
}

/** People choose round windows. */
export const ROUND_WINDOWS_MS = [
  0.5, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 24, 25, 30, 40, 45, 50, 60, 75, 90, 100, 120, 150, 180, 240, 300,
  360, 600, 720, 900, 1200, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400,
].map((seconds) => seconds * 1000)

/** A window of fewer tolerances, or of two stalls, cannot be distinguished from no window. */
const MIN_WINDOW_TOLERANCES = 10
const MIN_WINDOW_MS = 2 * STALL_MS

/** None is shorter than the longest streak of refusals, or longer than the record. */
function windowCandidates({ at, count, streaks, toleranceMs }: Sequence): number[] {
  const spanMs = (at[count - 1] ?? 0) - (at[0] ?? 0)
  const streakMs = Math.max(...streaks.map(({ firstAt, lastAt }) => lastAt - firstAt))
  const minMs = Math.max(MIN_WINDOW_TOLERANCES * toleranceMs, MIN_WINDOW_MS, streakMs - 2 * toleranceMs)
  return ROUND_WINDOWS_MS.filter((ms) => ms >= minMs && ms <= spanMs)
}

/** Counts calls in any window, weighted by the clock, in windows of the clock, of calls, and of a phase. */
function windowReplays(calls: Sequence, windowMs: number): Replay[] {
  const from =
    (startOf: (moment: number) => number): Replay =>
    (some, levels) =>
      windowLevels(some, startOf, levels)
  const phased = (phase: number): Replay =>
    from((moment) => phase + Math.floor((moment - phase) / windowMs) * windowMs)
  return [
    from((moment) => moment - windowMs),
    (some, levels) => weightedLevels(some, windowMs, levels),
    phased(0),
    from(openedByCalls(calls, windowMs)),
    ...phasesOf(calls, windowMs).map(phased),
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

/** Where in the time that the calls leave a window of its own phase may start. */
const PHASES = [0.1, 0.5, 0.9]

/** Lists phases of windows: each opens between its last refusal and the next accepted call, all but one. */
function phasesOf({ streaks, toleranceMs }: Sequence, windowMs: number): number[] {
  const openings = streaks.filter(
    ({ firstAt, lastAt, reopenedAt = Infinity }) =>
      lastAt - firstAt > toleranceMs && reopenedAt - lastAt < windowMs / 4,
  )
  const first = openings[0]?.lastAt ?? 0
  const offsetOf = (at: number): number => at - first - Math.round((at - first) / windowMs) * windowMs
  const earliest = openings.map(({ lastAt }) => offsetOf(lastAt)).sort((a, b) => b - a)
  const latest = openings
    .map(({ lastAt, reopenedAt = lastAt }) => offsetOf(lastAt) + reopenedAt - lastAt)
    .sort((a, b) => a - b)
  return [0, 1].flatMap((spare) =>
    PHASES.map((share) => first + (1 - share) * (earliest[spare] ?? 0) + share * (latest[spare] ?? 0)),
  )
}

const COARSE_STEP = 1.1
const RATE_RANGE = 20
/** Each round looks at rates so near to the best of the last. */
const FINE_STEPS = [0.02, 0.005, 0.001]
/** Between so many streaks of refusals, and at these quantiles, a bucket's rate is measured. */
const SPANS = [1, 2, 4, 8, 16, 32]
const QUANTILES = [0.25, 0.5, 0.75, 0.9, 1]

/** Calls accepted per millisecond between two streaks of refusals: the bucket was empty at both. */
const ratesBetween = ({ streaks }: Sequence): number[] =>
  [...SPANS, streaks.length - 1].flatMap((span) => {
    const rates = streaks
      .slice(span)
      .map((to, index) => {
        const from = streaks[index] ?? to
        return (to.accepted - from.accepted) / (to.lastAt - from.lastAt)
      })
      .filter((rate) => rate > 0 && rate < Infinity)
      .sort((a, b) => a - b)
    return QUANTILES.flatMap((quantile) => rates[Math.round(quantile * (rates.length - 1))] ?? [])
  })

/** Takes the middle of the rates that cost the same. */
function fitBucket(calls: Sequence, fit: (perMs: number) => Fit & { readonly replay: Replay }): Rule[] {
  const rules: Rule[] = []
  const tryRate = (perMs: number): void => {
    const fitted = fit(perMs)
    // A bucket that refills within the network's tolerance would explain any record.
    if (fitted.size >= perMs * calls.toleranceMs)
      rules.push({ kind: 'token-bucket', perSecond: 1000 * perMs, ...fitted })
  }
  const best = (): Rule | undefined => {
    const minCost = Math.min(...rules.map(({ cost }) => cost))
    const asGood = rules
      .filter(({ cost }) => cost <= minCost + ROUNDING)
      .sort((a, b) => a.perSecond - b.perSecond)
    return asGood[asGood.length >> 1]
  }
  const spanMs = (calls.at[calls.count - 1] ?? 0) - (calls.at[0] ?? 0)
  const mean = calls.accepted.at.length / Math.max(1, spanMs)
  for (const perMs of ratesBetween(calls)) tryRate(perMs)
  for (let perMs = mean / RATE_RANGE; perMs < mean * RATE_RANGE; perMs *= COARSE_STEP) tryRate(perMs)
  for (const step of FINE_STEPS) {
    const perMs = (best()?.perSecond ?? 0) / 1000
    for (let nth = -4; nth <= 4; nth += 1) if (nth !== 0 && perMs > 0) tryRate(perMs * (1 + step * nth))
  }
  const rule = best()
  return rule === undefined ? [] : [rule]
}
