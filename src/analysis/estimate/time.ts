// How long the base case takes: by the pace, by the longest thread, by the calls in flight, and as the runner will order it.
import type { PaceEstimate, Source, TimeEstimate } from '../../domain/estimate.ts'
import type { Chain } from './chain.ts'
import { boundsOf, makespanOf, makespanOfFirst } from './makespan.ts'

export interface TimeRules {
  readonly pace: PaceEstimate
  readonly concurrency: number
  readonly answerMs: number
  readonly answerSource: Source
}

/** Of these threads, all of them asked `repeats` times; `callsLeft`: how many calls the run may send, null for no end. */
export function estimateTime(
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
