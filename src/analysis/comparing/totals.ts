// The figures of two runs beside each other, over the questions that both have: shares with their tests and
// the drop that they detect, and latency.
import type { Row, Side } from '../../domain/changes.ts'
import type { ComparedFigure, ComparedShare, Totals } from '../../domain/comparison.ts'
import { groupBy } from '../../domain/counts.ts'
import { compareTexts } from '../../domain/text.ts'
import { bootstrapShares, type PairedCluster } from '../../stats/paired-bootstrap.ts'
import { effectivePairs, smallestDrop } from '../../stats/paired-power.ts'
import { signFlipTest } from '../../stats/paired-tests.ts'
import { bootstrapQuantile, nearestRank, rankSamples, sortSamples } from '../../stats/quantile.ts'
import { seededRandom } from '../../stats/random.ts'
import { threadKey } from '../figures/fold.ts'
import { repeatsOf } from './rows.ts'

export type SharedRow = Row & { readonly baseline: Side; readonly candidate: Side }

export const isInBoth = (row: Row): row is SharedRow => row.presence === 'both'

export function compareFigures(rows: readonly SharedRow[], level: number, margin: number) {
  const gated = (rate: 'groundingRate' | 'passRate') => {
    const values = valuesOf(rows, rate)
    return { ...compareShares(values), detectableDrop: detectableDrop(values, level, margin) }
  }
  return {
    grounding: gated('groundingRate'),
    verdicts: gated('passRate'),
    availability: compareShares(valuesOf(rows, 'answerRate')),
    latency: compareLatency(rows),
  }
}

export interface SharedValue {
  readonly thread: string
  readonly baseline: number
  readonly candidate: number
}

export function valuesOf(
  rows: readonly SharedRow[],
  rate: 'groundingRate' | 'passRate' | 'answerRate',
): readonly SharedValue[] {
  const values = rows.flatMap(({ id, turn, baseline, candidate, ...row }) => {
    const [was, is] = [baseline[rate], candidate[rate]]
    return was === null || is === null
      ? []
      : [{ id, turn, thread: threadKey(row), baseline: was, candidate: is }]
  })
  // The bootstrap draws by position, so the same questions in any order must give the same figures.
  return values.sort(
    (a, b) => compareTexts(a.thread, b.thread) || a.turn - b.turn || compareTexts(a.id, b.id),
  )
}

/** Fixed, so that the same runs always give the same intervals. */
const SEED = 1
/** An interval of fewer threads is meaningless. */
const MIN_THREADS = 5
const LEVEL = 0.05

/**
 * If every thread is one question sent once, sign flips are McNemar's exact test. The interval agrees with
 * the test: if it excludes 0 although p is above 5 %, it is extended to 0.
 */
export function compareShares(values: readonly SharedValue[], seed = SEED): ComparedShare {
  const clusters = clustersOf(values)
  const [threads, questions] = [clusters.length, values.length]
  if (questions === 0)
    return { questions, baseline: null, candidate: null, difference: null, p: null, test: null }
  const baseline = sumOf(values, 'baseline') / questions
  const candidate = sumOf(values, 'candidate') / questions
  const bootstrap = bootstrapShares(clusters, {
    random: seededRandom(seed),
    // Enough for exact tails, but fewer with many threads, where each replicate takes longer.
    replicates: Math.round(Math.min(4000, Math.max(1000, 5e6 / threads))),
  })
  const isMcNemar =
    threads === questions && values.every((value) => isWhole(value.baseline) && isWhole(value.candidate))
  const p = signFlipP(clusters)
  const estimate = candidate - baseline
  const { low = NaN, high = NaN } = threads < MIN_THREADS ? {} : (bootstrap ?? {})
  // An infinite bound (too few threads) becomes null: JSON has no infinity.
  const known = (bound: number): number | null => (Number.isFinite(bound) ? bound : null)
  return {
    questions,
    baseline,
    candidate,
    difference: {
      estimate,
      low: known(p > LEVEL ? Math.min(low, 0) : low),
      high: known(p > LEVEL ? Math.max(high, 0) : high),
    },
    p,
    test: isMcNemar ? 'exact McNemar' : 'sign flips over threads',
  }
}

const sumOf = (values: readonly SharedValue[], run: 'baseline' | 'candidate'): number =>
  values.reduce((sum, value) => sum + value[run], 0)

function clustersOf(values: readonly SharedValue[]): PairedCluster[] {
  return [...groupBy(values, ({ thread }) => thread).values()].map((some) => ({
    turns: some.length,
    baseline: sumOf(some, 'baseline'),
    candidate: sumOf(some, 'candidate'),
  }))
}

/** 60 makes shares of up to six repeats, and most mixes of them, whole numbers. */
const MAX_FACTOR = 60
/** Bounds the test to about a second. */
const MAX_STEPS = 3e8

/**
 * The test takes whole numbers. Changes are multiplied by the smallest number that makes all whole, or by the
 * largest that time allows, and rounded half away from 0: both signs are treated equally, so the test keeps
 * its level.
 */
function signFlipP(clusters: readonly PairedCluster[]): number {
  const changes = clusters.map(({ baseline, candidate }) => candidate - baseline)
  const changed = changes.filter((change) => change !== 0)
  const largest = changed.reduce((max, change) => Math.max(max, Math.abs(change)), 1)
  // The test visits 24 standard deviations of the sum for each thread that changed.
  const affordable = Math.floor(MAX_STEPS / (24 * changed.length ** 1.5 * largest))
  const maxFactor = Math.max(1, Math.min(MAX_FACTOR, affordable))
  let factor = 1
  while (factor < maxFactor && !changed.every((change) => isWhole(change * factor))) factor += 1
  return signFlipTest(changes.map((change) => Math.sign(change) * Math.round(Math.abs(change) * factor)))
}

const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) < 1e-6

/**
 * The smallest drop (a share) that the gate with its margin detects with 80 % power. Null for fewer than two
 * threads, and if the gate would not detect the loss of everything. It holds for losses of single questions
 * and of whole threads (which count as few changes), on top of what differs anyway: simulations
 * (`test/prove`) detect it in 80 to 99 of 100 cases.
 */
export function detectableDrop(values: readonly SharedValue[], alpha: number, margin: number): number | null {
  const squares = values.reduce((sum, value) => sum + (value.candidate - value.baseline) ** 2, 0)
  // Mean square of the changes; without repeats, the share of questions that changed.
  const discordance = values.length === 0 ? 0 : squares / values.length
  const pairs = effectivePairs(clustersOf(values), discordance)
  const drop = (pairs && smallestDrop({ pairs, discordance, alpha, margin })) ?? Infinity
  // No more can be lost than the baseline has.
  return drop <= sumOf(values, 'baseline') / values.length ? drop : null
}

/** A percentile's 95 % intervals with fewer covered the true value in as few as 81 of 100 cases. */
const MIN_THREADS_BEYOND = 3

/**
 * Service time by nearest rank over the turns that both runs answered, and 95 % intervals of the differences
 * over threads. An interval shows that a run was slower, not why. If the endpoint is up to 10 % slower at
 * some times, 5 to 43 of 100 equal runs differ at the 5 % level, so the gate also requires a margin.
 */
function compareLatency(rows: readonly SharedRow[]): Totals['latency'] {
  const numbers = new Map<string, number>()
  const owners: number[] = []
  const [before, after]: [number[], number[]] = [[], []]
  for (const row of rows) {
    const others = repeatsOf(row.candidate)
    for (const turn of repeatsOf(row.baseline)) {
      const other = others.find(({ repeat }) => repeat === turn.repeat)
      if (turn.availability !== 'answer' || other?.availability !== 'answer') continue
      if (turn.latencyMs === null || other.latencyMs === null) continue
      const thread = threadKey(row)
      const number = numbers.get(thread) ?? numbers.size
      numbers.set(thread, number)
      owners.push(number)
      before.push(turn.latencyMs)
      after.push(other.latencyMs)
    }
  }
  const threads = numbers.size
  const ranked = {
    baseline: rankSamples(before, owners, threads),
    candidate: rankSamples(after, owners, threads),
  }
  const [was, is] = [sortSamples(before), sortSamples(after)]
  const change = (quantile: number): ComparedFigure => {
    const [baseline, candidate] = [nearestRank(was, quantile), nearestRank(is, quantile)]
    if (baseline === undefined || candidate === undefined)
      return { baseline: null, candidate: null, difference: null, p: null }
    const bootstrap = bootstrapQuantile(ranked, quantile, {
      random: seededRandom(SEED),
      // With fewer replicates, a p-value could not get below a level that several tests share.
      replicates: Math.round(Math.min(2000, Math.max(1000, 2.5e6 / threads))),
    })
    const { threadsBeyond = 0, low = NaN, high = NaN, p = NaN } = bootstrap ?? {}
    const known = (value: number): number | null =>
      threadsBeyond >= MIN_THREADS_BEYOND && Number.isFinite(value) ? value : null
    const difference = { estimate: candidate - baseline, low: known(low), high: known(high) }
    return { baseline, candidate, difference, p: known(p) }
  }
  return { p50: change(0.5), p95: change(0.95) }
}
