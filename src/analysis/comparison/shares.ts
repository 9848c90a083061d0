// By how much a share changed between two runs, whether that is more than chance, and which drop would have been detected.
import type { ShareReview } from '../../domain/comparison.ts'
import { bootstrapShares, type PairedCluster } from '../../stats/paired-bootstrap.ts'
import { effectivePairs, smallestDrop } from '../../stats/paired-power.ts'
import { signFlipTest } from '../../stats/paired-tests.ts'
import { seededRandom } from '../../stats/random.ts'
import { groupBy } from '../turns.ts'
import type { QuestionValues } from './question.ts'

/** The same runs always give the same intervals. */
export const SEED = 1
/** On fewer threads no interval says anything. */
const LEAST_THREADS = 5
/** Of the intervals, and of the test that they agree with. */
const LEVEL = 0.05

/**
 * Where every thread is one question sent once, sign flips are McNemar's exact test. Else two tests must agree, and p is the larger of
 * theirs: sign flips hold their level with few threads, the bootstrap where threads differ in size. An interval holds what
 * its test does not reject: one that leaves 0 out though p is above 5 % is stretched to it.
 */
export function reviewShares(values: readonly QuestionValues[], seed = SEED): ShareReview {
  const clusters = clustersOf(values)
  const [threads, questions] = [clusters.length, values.length]
  if (questions === 0)
    return { questions, baseline: null, candidate: null, difference: null, p: null, test: null }
  const [baseline, candidate] = [
    sumOf(values, 'baseline') / questions,
    sumOf(values, 'candidate') / questions,
  ]
  const drawn = bootstrapShares(clusters, {
    random: seededRandom(seed),
    // So many that the tails are well known, and fewer where many threads make each of them long.
    replicates: Math.round(Math.min(4000, Math.max(1000, 5e6 / threads))),
  })
  const isPlain =
    threads === questions && values.every((one) => isWhole(one.baseline) && isWhole(one.candidate))
  const flips = signFlipP(clusters)
  const p = isPlain ? flips : Math.max(flips, drawn?.p ?? 1)
  const estimate = candidate - baseline
  const { low = NaN, high = NaN } = threads < LEAST_THREADS ? {} : (drawn ?? {})
  // Bounds that the threads are too few to know are null: JSON has no infinity.
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
    test: isPlain ? 'exact McNemar' : 'bootstrap and sign flips over threads',
  }
}

const sumOf = (values: readonly QuestionValues[], run: 'baseline' | 'candidate'): number =>
  values.reduce((sum, one) => sum + one[run], 0)

/** The questions of each conversation together, conversations in the order of their first question. */
export function clustersOf(values: readonly QuestionValues[]): PairedCluster[] {
  return [...groupBy(values, ({ thread }) => thread).values()].map((some) => ({
    turns: some.length,
    baseline: sumOf(some, 'baseline'),
    candidate: sumOf(some, 'candidate'),
  }))
}

/** Shares of up to six repeats, and of most mixes of such, come out whole. */
const MOST_PARTS = 60
/** Steps that the test may take: a second or so. */
const MOST_STEPS = 3e8

/**
 * The test counts whole numbers: each change times the smallest number that makes all whole, or as large a one as time allows,
 * rounded half away from 0: both signs alike, so that the test holds its level.
 */
export function signFlipP(clusters: readonly PairedCluster[]): number {
  const changes = clusters.map(({ baseline, candidate }) => candidate - baseline)
  const moved = changes.filter((change) => change !== 0)
  const largest = moved.reduce((most, change) => Math.max(most, Math.abs(change)), 1)
  // The test goes through 24 standard deviations of the sum for each thread that changed.
  const affordable = Math.floor(MOST_STEPS / (24 * moved.length ** 1.5 * largest))
  const most = Math.max(1, Math.min(MOST_PARTS, affordable))
  let parts = 1
  while (parts < most && !moved.every((change) => isWhole(change * parts))) parts += 1
  return signFlipTest(changes.map((change) => Math.sign(change) * Math.round(Math.abs(change) * parts)))
}

const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) < 1e-6

/**
 * The smallest drop that the gate, its margin included, detects with 80 % power. Null for fewer than two threads, and where not
 * even the loss of all would be detected. It holds for single questions and for whole threads, which weigh as few changes,
 * and for losses on top of what differs anyway: simulated (`test/prove`), it is detected in 80 to 99 of 100 cases.
 */
export function detectableDrop(
  values: readonly QuestionValues[],
  alpha: number,
  margin: number,
): number | null {
  const squares = values.reduce((sum, one) => sum + (one.candidate - one.baseline) ** 2, 0)
  // Mean square of the changes: without repeats the share of questions that changed.
  const discordance = values.length === 0 ? 0 : squares / values.length
  const pairs = effectivePairs(clustersOf(values), discordance)
  const drop = (pairs && smallestDrop({ pairs, discordance, alpha, margin })) ?? Infinity
  // No more can be lost than the baseline has.
  return drop <= sumOf(values, 'baseline') / values.length ? drop : null
}
