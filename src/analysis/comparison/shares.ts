// The change of a share between two runs: its size, its p-value, and the detectable drop.
import type { ShareComparison } from '../../domain/comparison.ts'
import { bootstrapShares, type PairedCluster } from '../../stats/paired-bootstrap.ts'
import { effectivePairs, smallestDrop } from '../../stats/paired-power.ts'
import { signFlipTest } from '../../stats/paired-tests.ts'
import { seededRandom } from '../../stats/random.ts'
import { groupBy } from '../turns.ts'
import type { QuestionValues } from './question.ts'

/** Fixed, so that the same runs always give the same intervals. */
export const SEED = 1
/** With fewer threads, an interval is meaningless. */
const MIN_THREADS = 5
/** Level of the intervals, and of the test that they agree with. */
const LEVEL = 0.05

/**
 * If every thread is one question sent once, sign flips are McNemar's exact test. Otherwise p is the larger
 * of two tests: sign flips keep their level with few threads, the bootstrap keeps it if threads differ in
 * size. The interval agrees with the test: if it excludes 0 although p is above 5 %, it is extended to 0.
 */
export function compareShares(values: readonly QuestionValues[], seed = SEED): ShareComparison {
  const clusters = clustersOf(values)
  const [threads, questions] = [clusters.length, values.length]
  if (questions === 0)
    return { questions, baseline: null, candidate: null, difference: null, p: null, test: null }
  const [baseline, candidate] = [
    sumOf(values, 'baseline') / questions,
    sumOf(values, 'candidate') / questions,
  ]
  const bootstrap = bootstrapShares(clusters, {
    random: seededRandom(seed),
    // Enough for exact tails, but fewer with many threads, where each replicate takes longer.
    replicates: Math.round(Math.min(4000, Math.max(1000, 5e6 / threads))),
  })
  const isMcNemar =
    threads === questions && values.every((one) => isWhole(one.baseline) && isWhole(one.candidate))
  const flips = signFlipP(clusters)
  const p = isMcNemar ? flips : Math.max(flips, bootstrap?.p ?? 1)
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
    test: isMcNemar ? 'exact McNemar' : 'bootstrap and sign flips over threads',
  }
}

const sumOf = (values: readonly QuestionValues[], run: 'baseline' | 'candidate'): number =>
  values.reduce((sum, one) => sum + one[run], 0)

function clustersOf(values: readonly QuestionValues[]): PairedCluster[] {
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
export function detectableDrop(
  values: readonly QuestionValues[],
  alpha: number,
  margin: number,
): number | null {
  const squares = values.reduce((sum, one) => sum + (one.candidate - one.baseline) ** 2, 0)
  // Mean square of the changes; without repeats, the share of questions that changed.
  const discordance = values.length === 0 ? 0 : squares / values.length
  const pairs = effectivePairs(clustersOf(values), discordance)
  const drop = (pairs && smallestDrop({ pairs, discordance, alpha, margin })) ?? Infinity
  // No more can be lost than the baseline has.
  return drop <= sumOf(values, 'baseline') / values.length ? drop : null
}
