// The whole estimate of a run: calls, words, time, the allowance, and what asking every night adds up to.
import type {
  CallEstimate,
  Estimate,
  NightlyUse,
  PaceEstimate,
  QuotaEstimate,
  Source,
  TimeEstimate,
  UseEstimate,
} from '../../domain/estimate.ts'
import { nightsIn, type Quota, repeatedCalls, shareOfQuota } from '../../domain/quota.ts'
import { estimateParts } from './calls.ts'
import { type Chain, groupAlike } from './chain.ts'
import { boundsOf, makespanOf, makespanOfFirst } from './makespan.ts'
import type { CallRules } from './worst-case.ts'

export interface Planned {
  /** Every thread once, and not begun. */
  readonly chains: readonly Chain[]
  /** How often all of them are asked. */
  readonly repeat: number
  /** In the order of their numbers. */
  readonly files: readonly { readonly path: string }[]
}

export interface EstimateRules extends CallRules {
  /** `--max-calls`, less what earlier sittings sent; null for no end. */
  readonly callsLeft: number | null
  readonly time: TimeRules
  readonly quota: Quota | null
}

export function estimateRun({ chains, repeat, files }: Planned, rules: EstimateRules): Estimate {
  const { callsLeft, quota } = rules
  const parts = estimateParts(
    chains.map((chain) => groupAlike(chain, repeat)),
    rules,
    callsLeft,
  )
  const { total } = parts
  const spent = spentOf(total.calls)
  return {
    ...total,
    repeat,
    files: files.flatMap(({ path }, file) => {
      const part = parts.files.get(file)
      return part === undefined ? [] : [{ path, ...part, use: estimateUse(part.calls, quota) }]
    }),
    tags: parts.tags,
    time: estimateTime(chains, rules.time, repeat, callsLeft),
    quota: estimateQuota(spent, quota),
    use: estimateUse(spent, quota),
  }
}

/** A run that `--max-calls` ends before it is done costs no more than that. */
const spentOf = ({ base, worst }: CallEstimate): CallEstimate => ({
  base: Math.min(base, worst),
  worst,
})

/** Asked every night: in the allowance's period, in a month where none is known. */
function estimateUse(calls: CallEstimate, quota: Quota | null): NightlyUse {
  const period = quota?.period ?? 'month'
  const runs = nightsIn(period)
  const over = (one: number): number => repeatedCalls({ min: one, max: one }, runs).max
  const cost = { base: over(calls.base), worst: over(calls.worst) }
  return { period, nightly: { runs, ...cost, shareOfQuota: sharesOf(cost, quota) } }
}

/** Null without an allowance. */
function estimateQuota(calls: CallEstimate, quota: Quota | null): QuotaEstimate | null {
  const shares = sharesOf(calls, quota)
  if (quota === null || shares === null) return null
  const runs = (cost: number): number => (cost === 0 ? 0 : Math.floor(quota.calls / cost))
  return {
    calls: quota.calls,
    period: quota.period,
    shareOfQuota: shares,
    runs: { base: runs(calls.base), worst: runs(calls.worst) },
  }
}

function sharesOf({ base, worst }: CallEstimate, quota: Quota | null): UseEstimate['shareOfQuota'] {
  const [low, high] = [shareOfQuota(base, quota), shareOfQuota(worst, quota)]
  return low === null || high === null ? null : { base: low, worst: high }
}

interface TimeRules {
  readonly pace: PaceEstimate
  readonly concurrency: number
  readonly answerMs: number
  readonly answerSource: Source
}

/** Of these threads, all of them asked `repeats` times; `callsLeft`: how many calls the run may send, null for no end. */
function estimateTime(
  chains: readonly Chain[],
  { pace, concurrency, answerMs, answerSource }: TimeRules,
  repeats: number,
  callsLeft: number | null,
): TimeEstimate {
  const times = chains.map(({ turns, next }) => turns.slice(next).map(() => answerMs))
  const perSecond = pace.kind === 'paced' ? pace.perSecond : undefined
  const lanes = { gapMs: perSecond === undefined ? 0 : 1000 / perSecond, concurrency }
  const bounds = boundsOf(times, lanes, repeats)
  const isUnknown = pace.kind === 'unknown'
  const low = makespanOf(times, lanes, repeats)
  const slow = isUnknown ? { ...lanes, gapMs: 1000 / pace.startPerSecond } : lanes
  const calls = times.reduce((sum, chain) => sum + chain.length, 0) * repeats
  const expectedMs = { low, high: isUnknown ? makespanOf(times, slow, repeats) : low }
  const withinBudget = (most: number): TimeEstimate['withinBudgetMs'] => {
    const quick = Math.min(low, makespanOfFirst(most, times, lanes, repeats))
    const slowly = isUnknown ? makespanOfFirst(most, times, slow, repeats) : quick
    return { low: quick, high: Math.min(expectedMs.high, slowly) }
  }
  return {
    pace,
    concurrency,
    answerMs: calls === 0 ? null : answerMs,
    answerSource: calls === 0 ? null : answerSource,
    atLeastMs: { ...bounds, pace: perSecond === undefined ? null : bounds.pace },
    expectedMs,
    withinBudgetMs: callsLeft === null || callsLeft >= calls ? null : withinBudget(callsLeft),
  }
}
