// Latency and quota of compared runs.
import type { ComparedTotals, PercentileChange, UsageFigures } from '../../domain/comparison.ts'
import { type Quota, shareOfQuota } from '../../domain/quota.ts'
import type { Summary } from '../../domain/summary.ts'
import { bootstrapQuantile, nearestRank, rankSamples, sortSamples } from '../../stats/quantile.ts'
import { seededRandom } from '../../stats/random.ts'
import { threadKey } from '../questions.ts'
import { ratio } from '../turns.ts'
import type { QuestionPair } from './pair.ts'
import type { TurnSummary } from './question.ts'
import { SEED } from './shares.ts'

/**
 * With one or two threads beyond a percentile, its 95 % intervals covered the true value in as few as 81 of
 * 100 cases.
 */
const MIN_THREADS_BEYOND = 3

/**
 * Service time by nearest rank over the turns that both runs answered, and 95 % intervals of the differences
 * over threads. An interval shows that a run was slower, not why. If the endpoint is up to 10 % slower at
 * some times, 5 to 43 of 100 equal runs differ at the 5 % level, so the gate also requires a margin.
 */
export function compareLatency(questions: readonly QuestionPair<TurnSummary>[]): ComparedTotals['latency'] {
  const numbers = new Map<string, number>()
  const owners: number[] = []
  const [before, after]: [number[], number[]] = [[], []]
  for (const { baseline, candidate } of questions)
    for (const turn of baseline) {
      const other = candidate.find(({ repeat }) => repeat === turn.repeat)
      if (turn.outcome !== 'answered' || other?.outcome !== 'answered') continue
      if (turn.serviceMs === undefined || other.serviceMs === undefined) continue
      const thread = threadKey(other.question)
      numbers.set(thread, numbers.get(thread) ?? numbers.size)
      owners.push(numbers.get(thread) ?? 0)
      before.push(turn.serviceMs)
      after.push(other.serviceMs)
    }
  const threads = numbers.size
  const ranked = {
    baseline: rankSamples(before, owners, threads),
    candidate: rankSamples(after, owners, threads),
  }
  const [was, is] = [sortSamples(before), sortSamples(after)]
  const change = (quantile: number): PercentileChange => {
    const [baseline, candidate] = [nearestRank(was, quantile), nearestRank(is, quantile)]
    if (baseline === undefined || candidate === undefined)
      return { baseline: null, candidate: null, difference: null, p: null }
    const {
      threadsBeyond = 0,
      low = NaN,
      high = NaN,
      p = NaN,
    } = bootstrapQuantile(ranked, quantile, {
      random: seededRandom(SEED),
      // With fewer replicates, a p-value could not get below a level that several tests share.
      replicates: Math.round(Math.min(2000, Math.max(1000, 2.5e6 / threads))),
    }) ?? {}
    const known = (value: number): number | null =>
      threadsBeyond >= MIN_THREADS_BEYOND && Number.isFinite(value) ? value : null
    const difference = { estimate: candidate - baseline, low: known(low), high: known(high) }
    return { baseline, candidate, difference, p: known(p) }
  }
  return { p50: change(0.5), p95: change(0.95) }
}

export const usageOf = ({ quota, errors }: Summary, allowance: Quota | null): UsageFigures => ({
  min: quota.min,
  max: quota.max,
  callsPerTurn: ratio(quota.attempts, errors.sent),
  shareOfQuota: shareOfQuota(quota.max, allowance),
})
